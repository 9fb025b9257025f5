// Execution algorithms: one order that is worked in slices over time.
import { createAlgorithm } from './routes/createAlgorithm.ts'
import { cancelAlgorithm, getAlgorithm, listAlgorithms } from './routes/readAlgorithms.ts'

export type { AlgorithmBooks, AlgorithmDeps, AlgorithmOrders, AlgorithmRouteDeps, SliceBuild } from './ports.ts'
export { runStep, type StepOptions, type StepOutcome } from './runStep.ts'
export { createVwapReader } from './vwap.ts'

export const algorithmRoutes = [createAlgorithm, listAlgorithms, getAlgorithm, cancelAlgorithm] as const
