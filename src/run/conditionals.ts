// Conditional orders of the compute role: armed ones are held against their books, what has triggered is fired, what is past its time is ended.
import { startExpirySweep } from '#actors/firing/expirySweep'
import { conditionalStoreOf, openArtifactSeal } from './conditional.ts'
import { type FiringPartOptions, runFiring } from './firingPart.ts'
import { runTriggers, type TriggersPartOptions } from './triggersPart.ts'

export type ConditionalsOptions = Omit<FiringPartOptions, 'seal'> & Omit<TriggersPartOptions, 'fires'>

export async function runConditionals(options: ConditionalsOptions): Promise<{ stop(): Promise<void> }> {
  const { config, pool, clock, log } = options
  const seal = openArtifactSeal(config)
  const firing = seal === null ? null : runFiring({ ...options, seal })
  const triggers = await runTriggers({ ...options, fires: firing ?? undefined })
  const sweep = startExpirySweep({ store: conditionalStoreOf(pool), clock, log })
  return {
    async stop() {
      await sweep.stop()
      await triggers.stop()
      await firing?.stop()
    },
  }
}
