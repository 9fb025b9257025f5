// An operator's changes to the plans.
import { z } from 'zod'
import { PlanName } from '#schemas/account'

const limit = z.int().nonnegative()
/** An operator's changes to the plans: JSON, `{"free": {"creditsPerMonth": 1000, "features": {"replay": true}}}`. */
export const PlanOverrides = z.partialRecord(
  PlanName,
  z.strictObject({
    features: z
      .strictObject({ replay: z.boolean(), arbitrage: z.boolean(), conditionalOrders: z.boolean() })
      .partial()
      .optional(),
    requestsPerMinute: limit.optional(),
    creditsPerMonth: limit.nullable().optional(),
    streamConnections: limit.optional(),
    subscriptionsPerConnection: limit.optional(),
    historyDays: limit.nullable().optional(),
  }),
)

export const plans = z
  .string()
  .default('{}')
  .transform((text, context) => {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON: {"<plan>": {"<limit>": <number>}}' })
      return z.NEVER
    }
    const parsed = PlanOverrides.safeParse(json)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: 'custom', message: `${path.join('.')}: ${message}` })
    return z.NEVER
  })
