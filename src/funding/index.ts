// Funding: how an account's money stands where orders are paid from.
export type { FundingDeps, SpotBalance } from './ports.ts'
export { getSpotFundingSteps } from './routes/getSpotFundingSteps.ts'
