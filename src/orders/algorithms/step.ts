// What the actions of a step are given, and what they lead to.
import type { AlgorithmWait } from '#schemas/algorithms'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { AlgorithmLease } from '#storage/postgres/algorithms/steps'
import type { Caller } from './ports.ts'

/** What is known during a step. */
export interface Step {
  row: AlgorithmRow
  lease: AlgorithmLease
  caller: Caller
  at: Date
}

export type StepResult =
  /** The next action may follow under the same lease. */
  | { kind: 'continue'; reason: AlgorithmWait }
  /** The next step is due at once. */
  | { kind: 'again'; reason: AlgorithmWait }
  /** `until`: when something changes by itself. `pauseMs`: not before. */
  | { kind: 'wait'; reason: AlgorithmWait; until?: number | null; pauseMs?: number; error?: string }
  | { kind: 'ended' }
