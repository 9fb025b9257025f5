// `crossbook caps …`: how many dollars per day an account, or one of its keys, may commit. Builds reserve, and are refused with
// SPEND_CAP_EXCEEDED beyond the cap; a change applies from the next build on.

import type { Lines } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { type CapRow, deleteCap, listCaps, upsertCap } from '#storage/postgres/caps/spendCaps'
import { findKeyById } from '#storage/postgres/keys/findKey'
import type { Pool } from '#storage/postgres/pool'
import { accountNamed } from './accounts.ts'
import { factsOf, nothing, tableOf } from './table.ts'

export interface CapScope {
  account?: string
  /** A key's id. */
  key?: string
}

/** `crossbook caps set --account <name> | --key <id> --daily-usd <n>` */
export async function capsSet(pool: Pool, words: CapScope & { dailyUsd?: string }): Promise<Lines> {
  const dailyUsd = words.dailyUsd?.trim() ?? ''
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(dailyUsd))
    throw new Fault('VALIDATION_ERROR', 'daily-usd is a decimal number of dollars, 0 and up')
  const { id, name } = await scopeOf(pool, words)
  await upsertCap(pool, id, dailyUsd)
  return factsOf({ capped: name, 'daily usd': dailyUsd }, { capped: name, dailyUsd: Number(dailyUsd) })
}

/** `crossbook caps list [--account <name> | --key <id>]`, with what today's builds hold. */
export async function capsList(pool: Pool, words: CapScope = {}, now: number = Date.now()): Promise<Lines> {
  const scopes = words.account === undefined && words.key === undefined ? null : [(await scopeOf(pool, words)).id]
  const caps = await listCaps(pool, scopes, now)
  if (caps.length === 0) return nothing('no caps')
  const table = [
    ['SCOPE', 'ID', 'ACCOUNT', 'KEY BEGINS', 'DAILY USD', 'RESERVED TODAY'],
    ...caps.map((cap) => [cap.scope, cap.scopeId, cap.account, cap.prefix ?? '-', cap.dailyUsd, cap.reservedUsd]),
  ]
  return tableOf(table, caps.map(inNumbers))
}

/** Dollars as numbers, for programs. */
const inNumbers = (cap: CapRow): object => ({
  ...cap,
  dailyUsd: Number(cap.dailyUsd),
  reservedUsd: Number(cap.reservedUsd),
})

/** `crossbook caps clear --account <name> | --key <id>` */
export async function capsClear(pool: Pool, words: CapScope): Promise<Lines> {
  const { id, name } = await scopeOf(pool, words)
  if (!(await deleteCap(pool, id))) throw new Fault('NOT_FOUND', `${name} has no cap: see crossbook caps list`)
  return factsOf({ cleared: name })
}

async function scopeOf(pool: Pool, { account, key }: CapScope): Promise<{ id: string; name: string }> {
  if ((account === undefined) === (key === undefined))
    throw new Fault('VALIDATION_ERROR', 'a cap belongs to one account or one key: --account <name> or --key <id>')
  if (account !== undefined) return { id: (await accountNamed(pool, account)).id, name: `account ${account}` }
  const row = await findKeyById(pool, key!)
  if (row === null) throw new Fault('NOT_FOUND', `no key ${key}: see crossbook keys list`)
  return { id: row.id, name: `key ${row.prefix} of ${row.account_name}` }
}
