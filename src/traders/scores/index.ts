// Scores of wallets (w1) and of trades (t1), and what kind of trader a wallet is.
export { categoryOf, type WalletHabits } from './category.ts'
export { type MarketResult, type Position, resultOf } from './result.ts'
export { type ScoredTrade, tradeScore } from './tradeScoreV1.ts'
export {
  edgeOf,
  emptyRecord,
  settledMin,
  type WalletRecord,
  type WalletScore,
  walletScore,
  withMarket,
} from './walletScoreV1.ts'
