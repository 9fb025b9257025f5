// Trades visible before their block: the waiting ones, their outcomes, and how well a node reports them.
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
