// `crossbook conditional …`: lists the orders that wait for a price, and cancels one of them.
import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { z } from 'zod'
import { systemClock } from '#core/clock'
import type { Lines } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { cancelConditional } from '#orders/conditional/cancelAndReport'
import { conditionalSteps } from '#orders/conditional/transitions'
import { ConditionalStatus, openStatuses } from '#schemas/conditional'
import { HaltReason } from '#schemas/halts'
import { listAccounts } from '#storage/postgres/accounts/listAccounts'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import { findOwner, listConditionals } from '#storage/postgres/conditional/find'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { accountNamed } from './accounts.ts'
import { venueNamed } from './halts.ts'
import { factsOf, nothing, tableOf } from './table.ts'

const rowsMax = 1_000

/** `crossbook conditional list [--account <name>] [--venue <venue>] [--status <list>|all] [--limit <n>]`: newest first. */
export async function conditionalList(
  pool: Pool,
  words: { account?: string; venue?: string; status?: string; limit?: string } = {},
): Promise<Lines> {
  const limit = Number(words.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > rowsMax)
    throw new Fault('VALIDATION_ERROR', `limit must be a whole number, 1 to ${rowsMax}`)
  const rows = await listConditionals(pool, {
    accountId: words.account === undefined ? null : (await accountNamed(pool, words.account)).id,
    statuses: statusesOf(words.status),
    venue: words.venue === undefined ? null : venueNamed(words.venue),
    fireMode: null,
    before: null,
    limit,
  })
  if (rows.length === 0) return nothing('no conditional orders')
  const names = new Map((await listAccounts(pool)).map(({ id, name }) => [id, name]))
  const records = rows.map((row) => ({
    id: row.id,
    account: names.get(row.account_id) ?? row.account_id,
    venue: row.venue,
    market: row.market_id,
    status: row.status,
    fireMode: row.fire_mode,
    trigger: row.trigger_rule,
    expiresAt: row.expires_at,
    attempts: row.fire_attempts,
    lastError: row.last_error,
  }))
  const table = [
    ['ID', 'ACCOUNT', 'VENUE', 'MARKET', 'STATUS', 'MODE', 'FIRES WHEN', 'EXPIRES', 'ATTEMPTS', 'LAST ERROR'],
    ...rows.map((row) => [
      row.id,
      names.get(row.account_id) ?? row.account_id,
      row.venue,
      row.market_id,
      row.status,
      row.fire_mode,
      ruleOf(row),
      row.expires_at.toISOString(),
      String(row.fire_attempts),
      row.last_error ?? '-',
    ]),
  ]
  return tableOf(table, records)
}

/**
 * `crossbook conditional cancel <id> --reason <text> [--by <name>]`: an operator may cancel whatever its owner may. Its events record who and
 * why.
 */
export async function conditionalCancel(
  pool: Pool,
  id: string,
  words: { reason?: string; by?: string },
): Promise<Lines> {
  const reason = HaltReason.safeParse(words.reason ?? '')
  if (!reason.success)
    throw new Fault('VALIDATION_ERROR', 'a reason of one line, at most 300 characters, is required: the owner sees it')
  const by = (words.by ?? userInfo().username).trim().slice(0, 200)
  if (by === '') throw new Fault('VALIDATION_ERROR', '--by <name> is required')
  const accountId = await ownerOf(pool, id)
  const store = createConditionalStore(pool, conditionalSteps, createNotifier(pool))
  const evidence = { operator: by, reason: reason.data }
  const key = `operator:${randomUUID()}`
  const { row } = await cancelConditional({ store, clock: systemClock }, { accountId }, { id, key, evidence })
  return factsOf({ canceled: row.id, venue: row.venue, market: row.market_id, reason: reason.data, by })
}

async function ownerOf(pool: Pool, id: string): Promise<string> {
  const owner = z.uuid().safeParse(id).success ? await findOwner(pool, id) : null
  if (owner === null) throw new Fault('CONDITIONAL_NOT_FOUND', `no conditional order ${id.slice(0, 64)}`)
  return owner
}

function statusesOf(text: string | undefined): readonly ConditionalStatus[] | null {
  if (text === undefined) return openStatuses
  if (text === 'all') return null
  const parsed = z.array(ConditionalStatus).safeParse(text.split(','))
  if (parsed.success) return parsed.data
  throw new Fault('VALIDATION_ERROR', `status must be all, or some of ${ConditionalStatus.options.join(', ')}`)
}

function ruleOf({ trigger_rule: { reference, when, price, trail, at } }: ConditionalRow): string {
  if (at !== undefined) return `time >= ${at}`
  const against = `${reference} ${when === 'at_or_above' ? '>=' : '<='}`
  if (trail === undefined) return `${against} ${price}`
  const distance = trail.by === 'percent' ? `${trail.distance}%` : trail.distance
  return `${against} best ${when === 'at_or_above' ? '+' : '-'} ${distance}`
}
