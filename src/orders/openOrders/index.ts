// Publicly readable open orders of accounts.
export { AccountReads } from './accountReadCache.ts'
export type { OpenOrdersDeps, OpenOrdersRouteDeps } from './ports.ts'
export { listOpenOrders } from './routes/listOpenOrders.ts'
