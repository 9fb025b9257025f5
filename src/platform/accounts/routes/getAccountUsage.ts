// An account's usage, by UTC day and operation and by key, up to this second for calls answered by this gateway.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { dayOf } from '#platform/credits/usageAccumulator'
import { Usage } from '#schemas/account'
import { defineRoute } from '#server/http/defineRoute'
import { addUnsettled, addUnsettledByKey } from '../mergePendingUsage.ts'
import type { AccountsDeps } from '../ports.ts'

const dayMs = 86_400_000
/** Inclusive on both ends. */
const daysMax = 92
const daysDefault = 30

const Day = z.iso.date().describe('YYYY-MM-DD, UTC')

export const getAccountUsage = defineRoute({
  operationId: 'getAccountUsage',
  method: 'get',
  path: '/v1/account/usage',
  access: { scope: 'read', credits: 0 },
  summary: 'Calls and credits of the account by UTC day and operation, and by key',
  tag: 'account',
  query: z.object({
    from: Day.optional(),
    to: Day.optional(),
    keyId: z.uuid().optional().describe('Only the usage of this key'),
  }),
  data: Usage,
  async handle({ principal, query }, { accounts, clock }: AccountsDeps) {
    const { accountId } = principal!
    const keyId = query.keyId ?? null
    const to = query.to ?? dayOf(clock.now())
    const from = query.from ?? dayOf(Date.parse(to) - (daysDefault - 1) * dayMs)
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
    if (days < 1) throw new Fault('VALIDATION_ERROR', 'from: must not be after to')
    if (days > daysMax) throw new Fault('VALIDATION_ERROR', `from: at most ${daysMax} days before to`)
    const [settled, { usage }] = await accounts.usage({ accountId, keyId, from, to })
    const unsettled = usage.filter(
      (entry) => entry.day >= from && entry.day <= to && (keyId === null || entry.keyId === keyId),
    )
    const lines = addUnsettled(settled.lines, unsettled)
    const total = { calls: 0, credits: 0 }
    for (const { calls, credits } of lines) {
      total.calls += calls
      total.credits += credits
    }
    return { data: { from, to, total, lines, byKey: addUnsettledByKey(settled.byKey, unsettled) } }
  },
})
