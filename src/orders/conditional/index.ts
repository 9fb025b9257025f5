// Conditional orders: a built order waits for a price, fires once, and only one of its group fires.
import { armConditional } from './routes/armConditional.ts'
import { cancelBracket, createBracket, getBracket } from './routes/brackets.ts'
import { cancelConditional, reportConditional } from './routes/closeConditional.ts'
import { getConditional, listConditionals } from './routes/readConditional.ts'

export {
  type ArtifactCipher,
  createArtifactSeal,
  newSealKey,
  parseSealKeys,
  type SealKey,
} from './artifactEncryption.ts'
export { type ArmResult, armExits } from './brackets/armExits.ts'
export type { BracketDeps, BracketRouteDeps, Builds, ExitBuild } from './brackets/ports.ts'
export type { ArmableOrders, ArmRequest, BookAvailability, ConditionalDeps, ConditionalRouteDeps } from './ports.ts'
export { conditionalSteps } from './transitions.ts'

export const conditionalRoutes = [
  armConditional,
  listConditionals,
  getConditional,
  cancelConditional,
  reportConditional,
] as const

/** Exits that are armed once an entry has ended, sized by what was filled of it. */
export const bracketRoutes = [createBracket, getBracket, cancelBracket] as const
