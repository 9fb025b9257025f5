// How much a search for the best set of positions may still compute.
import type { OnProgress } from './progress.ts'

/** Remaining budget of searches, in multiplications: a clock would make answers depend on the machine. */
export interface Budget {
  left: number
  onProgress: OnProgress
}
