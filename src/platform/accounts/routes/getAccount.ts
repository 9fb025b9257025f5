// Describes a key: plan, scopes, limits, credits, spend caps.

import { Fault } from '#core/fault'
import { dayOf, monthOf } from '#platform/credits/usageAccumulator'
import { Account } from '#schemas/account'
import { defineRoute } from '#server/http/defineRoute'
import type { AccountsDeps } from '../ports.ts'

export const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/v1/account',
  access: { scope: 'read', credits: 0 },
  summary: 'The account and the calling key: plan, scopes, limits, credits, spend caps',
  tag: 'account',
  data: Account,
  async handle({ principal }, { accounts, plans, clock }: AccountsDeps) {
    const { accountId, keyId, plan, scopes } = principal!
    const now = clock.now()
    const day = dayOf(now)
    const [found, [creditState, unsettled], caps] = await Promise.all([
      accounts.find(accountId),
      accounts.creditState(accountId),
      accounts.caps([accountId, keyId], now),
    ])
    if (found === null) throw new Fault('UNAUTHORIZED', 'the account of this key no longer exists')
    const { features, ...limits } = plans[plan]
    const { unlimited, balance, held, includedMonth, includedCredits } = creditState
    const month = monthOf(now)
    const data: Account = {
      accountId,
      name: found.name,
      createdAt: found.createdAt.toISOString(),
      keyId,
      plan,
      scopes: [...scopes],
      features,
      limits,
      credits: {
        unlimited,
        balance: unlimited ? null : Math.max(0, balance - unsettled.spent),
        leased: unlimited ? null : held,
        included: unlimited || includedMonth !== month ? null : { month: month.slice(0, 7), credits: includedCredits },
      },
      spendCaps: caps.map(({ scope, dailyUsd, reservedUsd }) => ({ scope, day, dailyUsd, reservedUsd })),
    }
    return { data }
  },
})
