// Publicly readable open orders of accounts.
export { AccountReads } from './accountReads.ts'
export type { OpenOrdersDeps, OpenOrdersRouteDeps } from './ports.ts'
export { listOpenOrders } from './routes/listOpenOrders.ts'
