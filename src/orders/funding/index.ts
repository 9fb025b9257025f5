// Funding: the state of an account's money where orders are paid from.
export type { FundingDeps, SpotBalance } from './ports.ts'
export { getSpotFundingSteps } from './routes/getSpotFundingSteps.ts'
