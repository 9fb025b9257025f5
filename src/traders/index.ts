// Traders: trades, holders and rankings of the venues, and the scores of our record.
import { getScoreLeaderboard } from './routes/getScoreLeaderboard.ts'
import { getTraderLeaderboard } from './routes/getTraderLeaderboard.ts'
import { getTraderWallet } from './routes/getTraderWallet.ts'
import { listSmartMoney } from './routes/listSmartMoney.ts'
import { listTraderHolders } from './routes/listTraderHolders.ts'
import { listTraderTrades } from './routes/listTraderTrades.ts'
import { listWalletTrades } from './routes/listWalletTrades.ts'

export { callerContext } from './callerContext.ts'
export type { SmartMoneyPosition, SmartMoneyQuery, TraderRecord, TradersPorts, TraderVenue } from './ports.ts'
export { createTraders, type Traders, type TradersRouteDeps } from './traders.ts'

export const traderRoutes = [
  listSmartMoney,
  getScoreLeaderboard,
  getTraderLeaderboard,
  listTraderTrades,
  listTraderHolders,
  getTraderWallet,
  listWalletTrades,
] as const
