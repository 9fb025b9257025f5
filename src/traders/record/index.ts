// The record of wallets seen on trades: written as they trade, rolled up and scored, read by the routes.
export { Judgements } from './judgements.ts'
export { rememberPlaces } from './places.ts'
export type { RecordCatalog, TradePlace } from './ports.ts'
export { createTraderRecord } from './record.ts'
export { type RolledUp, RollUp } from './rollUp.ts'
export { settle } from './settlements.ts'
export { TraderWriter, walletName } from './writer.ts'
