// Trades that can be seen before their block: what waits, what became of it, and how well a node tells of it.
export { type Held, Ledger, type LedgerOptions, type Resolved, type Standing } from './ledger.ts'
export { Measures } from './measures.ts'
export { readWaiting, type WaitingTransaction } from './transaction.ts'
export {
  type DropReason,
  type PendingDisclosure,
  type PendingState,
  type PendingTrades,
  type PendingTradeUpdate,
  type TellPendingTrades,
  tradeOf,
} from './update.ts'
