// Conditional orders of the compute role: armed ones are checked against their books, triggered ones are fired, expired ones are ended.
import { startExpirySweep } from '#actors/firing/expiryJob'
import { superviseRole } from '#actors/system'
import { createDatabaseClock } from '#storage/postgres/databaseClock'
import { conditionalStoreOf, openArtifactSeal } from './conditionalStore.ts'
import { type FiringPartOptions, runFiring } from './firingService.ts'
import { runTriggers, type TriggersPartOptions } from './triggersService.ts'

export type ConditionalsOptions = Omit<FiringPartOptions, 'seal'> & Omit<TriggersPartOptions, 'fires'>

export async function runConditionals(options: ConditionalsOptions): Promise<{ stop(): Promise<void> }> {
  const { config, pool, log } = options
  const seal = openArtifactSeal(config)
  const clock = createDatabaseClock(pool, options.clock)
  await clock.align().catch((error: unknown) => log.warn({ err: error }, 'the time of the database is not known yet'))
  const sweep = startExpirySweep({ store: conditionalStoreOf(pool), clock, log })
  const actors = superviseRole(options.actors, 'conditional orders', { clock, log })
  const firing = runFiring({ ...options, actors, clock, seal })
  const triggers = await runTriggers({ ...options, actors, clock, fires: firing.fires })
  return {
    async stop() {
      await sweep.stop()
      await triggers.stop()
      await firing.stop()
      actors.stop()
    },
  }
}
