// Conditional orders: a built order waits for a price, fires once, and only one of its group fires.
import { armConditional } from './routes/armConditional.ts'
import { cancelConditional, reportConditional } from './routes/closeConditional.ts'
import { getConditional, listConditionals } from './routes/readConditional.ts'

export type { ArmableOrder, ArmableOrders, BookStanding, ConditionalDeps, ConditionalRouteDeps } from './ports.ts'
export { type ArtifactSeal, createArtifactSeal, newSealKey, parseSealKeys, type SealKey } from './seal.ts'
export { conditionalSteps } from './transitions.ts'

export const conditionalRoutes = [
  armConditional,
  listConditionals,
  getConditional,
  cancelConditional,
  reportConditional,
] as const
