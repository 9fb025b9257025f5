// `crossbook accounts …`: the accounts, their keys and their credits.

import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { listKeys, requireAccountName } from '#platform/auth/keys'
import { allowancesOf } from '#platform/credits/allowances'
import { monthOf } from '#platform/credits/usageAccumulator'
import { defaultPlans, type Plans } from '#platform/plans/plans'
import type { AccountRow } from '#storage/postgres/accounts/accountRow'
import { findAccountByName } from '#storage/postgres/accounts/findAccount'
import { insertAccount } from '#storage/postgres/accounts/insertAccount'
import { listAccounts } from '#storage/postgres/accounts/listAccounts'
import { listCaps } from '#storage/postgres/caps/spendCaps'
import { createCreditStore } from '#storage/postgres/credits/store'
import type { Pool } from '#storage/postgres/pool'
import { factsOf, nothing, tableOf } from './table.ts'

/** `crossbook accounts list` */
export async function accountsList(pool: Pool): Promise<Lines> {
  const accounts = await listAccounts(pool)
  if (accounts.length === 0) return nothing('no accounts')
  const records = accounts.map(({ id, name, live_keys, plans, balance, created_at }) => {
    return { accountId: id, account: name, liveKeys: live_keys, plans, credits: balance, createdAt: created_at }
  })
  const table = [
    ['ACCOUNT ID', 'ACCOUNT', 'LIVE KEYS', 'PLANS', 'CREDITS', 'CREATED'],
    ...accounts.map((account) => [
      account.id,
      account.name,
      String(account.live_keys),
      account.plans.join(',') || '-',
      account.balance === null ? '-' : String(account.balance),
      account.created_at.toISOString().slice(0, 10),
    ]),
  ]
  return tableOf(table, records)
}

/** `crossbook accounts create <name>`: keys come later, with `keys create --account <name>`. */
export async function accountsCreate(pool: Pool, name: string): Promise<Lines> {
  const words = name.trim()
  requireAccountName(words)
  const made = await insertAccount(pool, words)
  if (made === null) throw new Fault('VALIDATION_ERROR', `account ${words} already exists`)
  return factsOf({ account: made.name, id: made.id })
}

/** `crossbook accounts show <name>`; grants the month's included credits, as the account's first call would. */
export async function accountsShow(
  pool: Pool,
  name: string,
  plans: Plans = defaultPlans,
  now: number = Date.now(),
): Promise<Lines> {
  const account = await accountNamed(pool, name)
  const creditState = await createCreditStore(pool).creditState(account.id, {
    month: monthOf(now),
    allowances: allowancesOf(plans),
  })
  const keys = await listKeys(pool, name)
  const caps = await listCaps(pool, [account.id, ...keys.map(({ keyId }) => keyId)], now)
  const included = creditState.includedMonth === monthOf(now) ? creditState.includedCredits : 0
  const record = {
    account: account.name,
    id: account.id,
    createdAt: account.created_at,
    liveKeys: keys.filter(({ live }) => live).length,
    keys: keys.length,
    credits: creditState.unlimited ? null : creditState.balance,
    caps: caps.map(({ prefix, dailyUsd, reservedUsd }) => ({
      key: prefix ?? null,
      dailyUsd: Number(dailyUsd),
      reservedUsd: Number(reservedUsd),
    })),
  }
  const lines = [
    ...factsOf({
      account: account.name,
      id: account.id,
      created: account.created_at.toISOString().slice(0, 10),
      keys: `${keys.filter(({ live }) => live).length} live of ${keys.length}`,
      credits: creditState.unlimited ? 'not limited' : String(creditState.balance),
      ...(creditState.unlimited ? {} : { leased: String(creditState.held), included: `${included} this month` }),
    }),
    ...caps.map(
      (cap) => `cap ${cap.prefix ?? 'account'}: ${cap.dailyUsd} USD a day, ${cap.reservedUsd} of it reserved today`,
    ),
  ]
  return withRecords(lines, [record])
}

export async function accountNamed(pool: Pool, name: string): Promise<AccountRow> {
  const account = await findAccountByName(pool, name)
  if (account === null) throw new Fault('NOT_FOUND', `no account ${name}: see crossbook accounts list`)
  return account
}
