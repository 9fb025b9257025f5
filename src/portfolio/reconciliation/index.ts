// The account's journal compared with what venues show of its accounts.
import { reconcilePortfolio } from './routes/reconcilePortfolio.ts'

export type { HoldingsVenue, ReconciliationDeps, ReconciliationRouteDeps } from './ports.ts'
export const reconciliationRoutes = [reconcilePortfolio]
