// A trigger rule as the caller writes it and as it is stored: every default filled in, and `tpsl` resolved to a
// direction.
import type { z } from 'zod'
import { Fault } from '#core/fault'
import { TriggerRule, triggerDefaults } from '#schemas/conditional'

/** `when` or `tpsl`: either determines the direction. */
export const TriggerBody = TriggerRule.partial({
  when: true,
  reference: true,
  confirmations: true,
  dwellMs: true,
  maxSpread: true,
  minSize: true,
})
export type TriggerBody = z.infer<typeof TriggerBody>

/** A stop sells below and buys above; a take-profit mirrors it. */
const directions = {
  sl: { buy: 'at_or_above', sell: 'at_or_below' },
  tp: { buy: 'at_or_below', sell: 'at_or_above' },
} as const

/** `side` of the stored order. Throws VALIDATION_ERROR when no direction is given, or two. */
export function ruleOf(body: TriggerBody, side: 'buy' | 'sell'): TriggerRule {
  const { when, tpsl, ...rest } = body
  const meant = tpsl === undefined ? undefined : directions[tpsl][side]
  if (when === undefined && meant === undefined)
    throw new Fault('VALIDATION_ERROR', 'trigger: give when, or tpsl for an order with a side')
  if (when !== undefined && meant !== undefined && when !== meant)
    throw new Fault('VALIDATION_ERROR', `trigger.tpsl: ${tpsl} for an order that ${side}s means ${meant}`)
  return TriggerRule.parse({
    ...triggerDefaults,
    ...rest,
    when: when ?? meant,
    ...(tpsl === undefined ? {} : { tpsl }),
  })
}
