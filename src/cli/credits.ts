// `crossbook credits …`: an operator's grants, and every entry of the ledger.
import { userInfo } from 'node:os'
import type { Lines } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { insertGrant, listLedger } from '#storage/postgres/credits/ledger'
import { inTransaction, type Pool } from '#storage/postgres/pool'
import { accountNamed } from './accounts.ts'
import { factsOf, nothing, tableOf } from './table.ts'

export interface GrantWords {
  account?: string
  /** Integer; negative takes back. */
  credits?: string
  reason?: string
  /** Who did it; defaults to the user of this machine. */
  by?: string
}

const creditsMax = 1_000_000_000_000
const reasonMax = 1_000
const entriesMax = 1_000

/** `crossbook credits grant --account <name> --credits <n> --reason <text>` */
export async function creditsGrant(pool: Pool, words: GrantWords): Promise<Lines> {
  const account = await accountNamed(pool, words.account ?? '')
  const credits = Number(words.credits)
  if (!Number.isInteger(credits) || credits === 0 || Math.abs(credits) > creditsMax) {
    throw new Fault('VALIDATION_ERROR', `credits must be a whole number, not zero, at most ${creditsMax}`)
  }
  const reason = words.reason?.trim() ?? ''
  if (reason === '' || reason.length > reasonMax) {
    throw new Fault(
      'VALIDATION_ERROR',
      `a reason of at most ${reasonMax} characters is required: it is kept for the audit`,
    )
  }
  const operator = (words.by ?? userInfo().username).trim().slice(0, 200)
  if (operator === '') throw new Fault('VALIDATION_ERROR', '--by <name> is required')
  const grant = { accountId: account.id, credits, reason, saidBy: operator }
  const balance = await inTransaction(pool, (db) => insertGrant(db, grant))
  if (balance === null) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the account has fewer than ${-credits} credits that no gateway holds right now`,
    )
  }
  return factsOf({ account: account.name, granted: credits, balance, reason, by: operator })
}

/** `crossbook credits list [--account <name>] [--limit <n>]`: newest first. */
export async function creditsList(pool: Pool, words: { account?: string; limit?: string } = {}): Promise<Lines> {
  const limit = Number(words.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > entriesMax)
    throw new Fault('VALIDATION_ERROR', `limit must be a whole number, 1 to ${entriesMax}`)
  const accountId = words.account === undefined ? null : (await accountNamed(pool, words.account)).id
  const entries = await listLedger(pool, { accountId, limit })
  if (entries.length === 0) return nothing('no entries')
  const table = [
    ['ENTRY', 'ACCOUNT', 'AT', 'KIND', 'CREDITS', 'BALANCE', 'WHY'],
    ...entries.map((entry) => [
      entry.id,
      entry.account,
      entry.at.toISOString(),
      entry.kind,
      entry.credits > 0 ? `+${entry.credits}` : String(entry.credits),
      String(entry.balance),
      entry.reason !== null
        ? `${entry.reason} (${entry.saidBy})`
        : entry.plan !== null
          ? `${entry.plan} ${entry.month}`
          : '-',
    ]),
  ]
  return tableOf(table, entries)
}
