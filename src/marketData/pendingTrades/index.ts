// Trades visible before their block: the waiting ones, their outcomes, and how well a node reports them.

export { Metrics } from './metrics.ts'
export {
  type Held,
  type LedgerOptions,
  PendingTradeStore,
  type Resolved,
  type TransactionState,
} from './pendingTradeStore.ts'
export { parsePendingTransaction, type WaitingTransaction } from './transaction.ts'
export {
  type DropReason,
  type OnPendingTrade,
  type PendingDisclosure,
  type PendingState,
  type PendingTrades,
  type PendingTradeUpdate,
  tradeOf,
} from './update.ts'
