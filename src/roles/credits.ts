// Connects metering and the account routes to their books, and exports both in /metrics. Owned and stopped here.

import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { AccountsPort } from '#platform/accounts/index'
import { summaryOf } from '#platform/auth/keys'
import { allowancesOf } from '#platform/credits/allowances'
import { CreditMeter, type MeterTotals } from '#platform/credits/meter'
import { monthOf } from '#platform/credits/usageAccumulator'
import type { Plans } from '#platform/plans/plans'
import { findAccountById } from '#storage/postgres/accounts/findAccount'
import { listCaps } from '#storage/postgres/caps/spendCaps'
import { createCreditStore } from '#storage/postgres/credits/store'
import { listAccountKeys } from '#storage/postgres/keys/listAccountKeys'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import type { Metrics } from './metrics.ts'

export interface Credits {
  meter: CreditMeter
  accounts: AccountsPort
  /** After the gateway: what was answered until then is settled, what is left is returned. */
  stop(): Promise<void>
}

export interface CreditsOptions {
  pool: Pool
  plans: Plans
  metrics: Metrics
  clock: Clock
  log: Log
}

export function openCredits({ pool, plans, metrics, clock, log }: CreditsOptions): Credits {
  const store = createCreditStore(pool)
  const meter = new CreditMeter({ store, plans, clock, log })
  const allowances = allowancesOf(plans)
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('PLATFORM_UNAVAILABLE', work)
  const accounts: AccountsPort = {
    async find(accountId) {
      const row = await orUnavailable(findAccountById(pool, accountId))
      return row === null ? null : { name: row.name, createdAt: row.created_at }
    },
    creditState: (accountId) =>
      meter.readWithUnsettled(accountId, () =>
        store.creditState(accountId, { month: monthOf(clock.now()), allowances }),
      ),
    usage: (query) => meter.readWithUnsettled(query.accountId, () => store.usage(query)),
    keys: async (query) => (await orUnavailable(listAccountKeys(pool, query)))?.map(summaryOf) ?? null,
    caps: (scopeIds, at) => orUnavailable(listCaps(pool, scopeIds, at)),
  }
  const stat = (name: keyof MeterTotals) => () => [{ value: meter.totals()[name] }]
  metrics.gauge('credits_leased', 'Credits held by this process and not spent', [], stat('leased'))
  metrics.gauge('credits_unsettled', 'Credits spent and not yet settled', [], stat('unsettled'))
  metrics.counter('credits_spent', 'Credits spent, including those of unlimited accounts', [], stat('spent'))
  metrics.counter('credits_refused', 'Requests refused for lack of credits', [], stat('refused'))
  metrics.counter(
    'credits_written_off',
    'Credits spent on lapsed leases that could not be paid',
    [],
    stat('writtenOff'),
  )
  metrics.gauge('credits_accounts', 'Accounts whose credits this process holds', [], stat('accounts'))
  return { meter, accounts, stop: () => meter.stop() }
}
