// The exits of a bracket: what the caller gives of each, and what is built and armed from it.
import { z } from 'zod'
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { JsonObject } from '#schemas/executions'
import type { OrderTerms } from '#venues/lane'
import { TriggerBody } from '../triggerRule.ts'
import type { Entry } from './ports.ts'

export const Exit = z.strictObject({
  /** As of a conditional order; the direction may be left out. */
  trigger: TriggerBody,
  /** The venue's build body, without `size`. */
  build: JsonObject,
})
export type Exit = z.infer<typeof Exit>

export const exitNames = ['stopLoss', 'takeProfit'] as const
export type ExitName = (typeof exitNames)[number]

const tpsl = { stopLoss: 'sl', takeProfit: 'tp' } as const satisfies Record<ExitName, string>

/** With the direction that its name implies, unless the caller gave one or it waits for a time. */
export function triggerOf(name: ExitName, { trigger }: Pick<Exit, 'trigger'>): TriggerBody {
  if (trigger.tpsl !== undefined && trigger.tpsl !== tpsl[name])
    throw new Fault('VALIDATION_ERROR', `${name}.trigger.tpsl: is ${tpsl[name]}`)
  return trigger.at !== undefined || trigger.when !== undefined ? trigger : { ...trigger, tpsl: tpsl[name] }
}

/** Fields of a build that are not the caller's here. */
const ours = ['size', 'dryRun', 'intent']

export function checkBuild(name: ExitName, { build }: Pick<Exit, 'build'>): void {
  const extra = ours.find((field) => field in build)
  if (extra !== undefined) throw new Fault('VALIDATION_ERROR', `${name}.build.${extra}: is set by the bracket`)
}

/** Throws VALIDATION_ERROR unless the exit trades the entry's outcome in the other direction, and no more than `size` of it. */
export function checkTerms(
  name: ExitName,
  { terms: entry }: Pick<Entry, 'terms'>,
  exit: OrderTerms,
  size: string,
): void {
  const refuse = (why: string) => new Fault('VALIDATION_ERROR', `${name}.build: ${why}`)
  if (exit.marketId !== entry.marketId || exit.outcomeId !== entry.outcomeId)
    throw refuse('trades another outcome than the entry')
  if (exit.isBuy === entry.isBuy) throw refuse(`the entry ${entry.isBuy ? 'buys' : 'sells'}: an exit does the opposite`)
  if (compareDecimals(exit.size, size) > 0) throw refuse(`is larger than ${size}`)
}
