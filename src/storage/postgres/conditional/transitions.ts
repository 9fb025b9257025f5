// The transitions the store may make: rows of the state machine's table, by event name.
import type { ConditionalActor, ConditionalStatus } from '#schemas/conditional'

export interface Step {
  from: readonly ConditionalStatus[]
  to: ConditionalStatus
  actor: ConditionalActor
}

export type StepName =
  | 'trigger'
  | 'claimFiring'
  | 'rearm'
  | 'fire'
  | 'failFire'
  | 'reportFired'
  | 'reportNotSubmitted'
  | 'cancel'
  | 'expire'
  | 'expireFired'
  | 'replace'
  | 'loseToFire'
  | 'loseWhileFiring'
  | 'loseToReport'
  | 'loseToExpiry'

export type ConditionalSteps = Readonly<Record<StepName, Step>>
