// Open orders of accounts that anybody may read.
export { AccountReads } from './accountReads.ts'
export type { OpenOrdersDeps, OpenOrdersRouteDeps } from './ports.ts'
export { listOpenOrders } from './routes/listOpenOrders.ts'
