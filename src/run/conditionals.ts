// Conditional orders of the compute role: what is past its time is ended.
import { startExpirySweep } from '#actors/firing/expirySweep'
import { conditionalSteps } from '#conditional/transitions'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createBell } from '#storage/postgres/orderChanges/bell'
import type { Pool } from '#storage/postgres/pool'

export interface ConditionalsOptions {
  pool: Pool
  clock: Clock
  log: Log
}

export function runConditionals({ pool, clock, log }: ConditionalsOptions): { stop(): Promise<void> } {
  const store = createConditionalStore(pool, conditionalSteps, createBell(pool))
  const sweep = startExpirySweep({ store, clock, log })
  return { stop: () => sweep.stop() }
}
