// Risk limits: what an order may not exceed before it leaves.
import { listRiskLimits, removeRiskLimit, setRiskLimit } from './routes/adminRiskLimits.ts'
import { getRiskLimits } from './routes/getRiskLimits.ts'

export { createRiskChecks } from './checks.ts'
export { startRiskDays } from './dayStart.ts'
export type { RiskDeps, RiskRouteDeps } from './ports.ts'

export const riskRoutes = [getRiskLimits, listRiskLimits, setRiskLimit, removeRiskLimit] as const
