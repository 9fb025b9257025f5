// Conditional orders of the compute role: armed ones are checked against their books, triggered ones are fired, expired ones are ended, and
// brackets are armed. Execution algorithms are worked, too.
import { startBracketJob } from '#actors/firing/bracketJob'
import { startExpirySweep } from '#actors/firing/expiryJob'
import { superviseRole } from '#actors/system'
import { armExits } from '#orders/conditional/index'
import { createDatabaseClock, type DatabaseClock } from '#storage/postgres/databaseClock'
import { runAlgorithms } from './algorithms.ts'
import { conditionalStoreOf, openArtifactSeal, openBrackets, openConditional } from './conditionalStore.ts'
import { type FiringPartOptions, type FiringService, runFiring } from './firingService.ts'
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
  const brackets = runBrackets(options, { clock, firing })
  const triggers = await runTriggers({ ...options, actors, clock, fires: firing.fires })
  const algorithms = await runAlgorithms({ ...options, clock, firing, seal })
  return {
    async stop() {
      await sweep.stop()
      await brackets.stop()
      await algorithms.stop()
      await triggers.stop()
      await firing.stop()
      actors.stop()
    },
  }
}

function runBrackets(
  { config, pool, log }: Pick<ConditionalsOptions, 'config' | 'pool' | 'log'>,
  { clock, firing }: { clock: DatabaseClock; firing: Pick<FiringService, 'executions' | 'fired'> },
): { stop(): Promise<void> } {
  const { executions, fired } = firing
  // The gateway checked that the market has a book; until it is live, the exits wait.
  const books = { availability: async () => 'live' as const }
  const deps = openBrackets(pool, executions, openConditional({ config, pool, executions, books, clock }))
  return startBracketJob({
    store: deps.store,
    arm: (row) => armExits(deps, row, fired),
    clock,
    log,
  })
}
