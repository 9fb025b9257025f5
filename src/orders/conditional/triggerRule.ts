// A trigger rule as the caller writes it and as it is stored: every default filled in, and `tpsl` resolved to a
// direction.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { dwellMaxMs, minSizeMax, TriggerRule, timeTriggerDefaults, triggerDefaults } from '#schemas/conditional'

/** One of `price`, `trail` and `at`. `when` or `tpsl`: either determines the direction. */
export const TriggerBody = TriggerRule.partial({
  reference: true,
  confirmations: true,
  maxSpread: true,
}).extend({
  dwellMs: z.number().int().min(1).max(dwellMaxMs).optional(),
  minSize: z.number().gt(0).max(minSizeMax).optional(),
})
export type TriggerBody = z.infer<typeof TriggerBody>

/** A stop sells below and buys above; a take-profit mirrors it. */
const directions = {
  sl: { buy: 'at_or_above', sell: 'at_or_below' },
  tp: { buy: 'at_or_below', sell: 'at_or_above' },
} as const

/** Throws VALIDATION_ERROR unless the body has one of `price`, `trail` and `at`, and what belongs to it. `side`: of the built order. */
export function ruleOf(body: TriggerBody, side: 'buy' | 'sell', { nowMs, expiresAtMs }: RuleTimes): TriggerRule {
  const { price, trail, at } = body
  if ([price, trail, at].filter((one) => one !== undefined).length !== 1)
    throw invalid('', 'give one of price, trail and at')
  if (at !== undefined) return timeRuleOf({ ...body, at }, { nowMs, expiresAtMs })
  const { when, tpsl, ...rest } = body
  return TriggerRule.parse({
    ...triggerDefaults,
    ...rest,
    when: directionOf(body, side),
    ...(tpsl === undefined ? {} : { tpsl }),
  })
}

/** Epoch ms. */
export interface RuleTimes {
  nowMs: number
  expiresAtMs: number
}

function directionOf({ when, tpsl, trail }: TriggerBody, side: 'buy' | 'sell'): TriggerRule['when'] {
  const meant = tpsl === undefined ? undefined : directions[tpsl][side]
  if (when === undefined && meant === undefined) throw invalid('', 'give when, or tpsl for an order with a side')
  if (when !== undefined && meant !== undefined && when !== meant)
    throw invalid('tpsl', `${tpsl} for an order that ${side}s means ${meant}`)
  const direction = when ?? meant
  const trailing = directions.sl[side]
  if (trail !== undefined && direction !== trailing)
    throw invalid('trail', `an order that ${side}s trails ${trailing}: give that as when, or tpsl sl`)
  return direction
}

function timeRuleOf(body: TriggerBody & { at: string }, { nowMs, expiresAtMs }: RuleTimes): TriggerRule {
  for (const field of ['when', 'tpsl', 'confirmations', 'dwellMs'] as const)
    if (body[field] !== undefined) throw invalid(field, 'does not apply to a time')
  const atMs = Date.parse(body.at)
  if (!(atMs > nowMs)) throw invalid('at', 'is in the past')
  if (atMs >= expiresAtMs) throw invalid('at', 'must be before expiresAt')
  return TriggerRule.parse({ ...timeTriggerDefaults, ...body, at: new Date(atMs).toISOString() })
}

const invalid = (field: string, why: string): Fault =>
  new Fault('VALIDATION_ERROR', `trigger${field === '' ? '' : `.${field}`}: ${why}`)
