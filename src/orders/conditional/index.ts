// Conditional orders: a built order waits for a price, fires once, and only one of its group fires.
import { armConditional } from './routes/armConditional.ts'
import { cancelConditional, reportConditional } from './routes/closeConditional.ts'
import { getConditional, listConditionals } from './routes/readConditional.ts'

export {
  type ArtifactCipher,
  createArtifactSeal,
  newSealKey,
  parseSealKeys,
  type SealKey,
} from './artifactEncryption.ts'
export type { ArmableOrders, ArmRequest, BookAvailability, ConditionalDeps, ConditionalRouteDeps } from './ports.ts'
export { conditionalSteps } from './transitions.ts'

export const conditionalRoutes = [
  armConditional,
  listConditionals,
  getConditional,
  cancelConditional,
  reportConditional,
] as const
