// `crossbook limits …`: what orders of an account, or of one of its keys, may not exceed before they leave. A change is effective from the
// answer on, in every process of the deployment.
import { userInfo } from 'node:os'
import { systemClock } from '#core/clock'
import type { Lines } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { checkLimitScope, checkLimitValue } from '#orders/risk/change'
import { OnBreach, RiskLimitKind, riskLimitUnits } from '#schemas/riskLimits'
import type { Pool } from '#storage/postgres/pool'
import {
  listRiskLimitAudit,
  listRiskLimits,
  type RiskLimitAuditRow,
  type RiskLimitRow,
  type RiskLimitScope,
  removeRiskLimit,
  setRiskLimit,
} from '#storage/postgres/risk/limits'
import { createRiskStore } from '#storage/postgres/risk/store'
import { accountNamed } from './accounts.ts'
import { venueNamed } from './halts.ts'
import { factsOf, nothing, tableOf } from './table.ts'

export interface LimitWords {
  account?: string
  /** A key's id; all keys together by default. */
  key?: string
  /** All venues together by default. */
  venue?: string
  kind?: string
  /** Who did it; defaults to the user of this machine. */
  by?: string
}

const auditRowsMax = 1_000

/** `crossbook limits list [--account <name>]` */
export async function limitsList(pool: Pool, words: { account?: string } = {}): Promise<Lines> {
  const rows = await listRiskLimits(pool, await accountIdOf(pool, words))
  if (rows.length === 0) return nothing('no limits')
  const table = [
    ['ACCOUNT', 'KEY', 'VENUE', 'KIND', 'VALUE', 'UNIT', 'ON BREACH', 'SET BY', 'SET'],
    ...rows.map((row) => [
      row.account,
      row.key_id ?? 'all',
      row.venue ?? 'all',
      row.kind,
      row.value,
      riskLimitUnits[row.kind],
      row.on_breach,
      row.set_by,
      row.set_at.toISOString(),
    ]),
  ]
  return tableOf(table, rows.map(recordOf))
}

/** `crossbook limits set --account <name> --kind <kind> --value <n> [--key <id>] [--venue <venue>] [--on-breach refuse|halt]` */
export async function limitsSet(pool: Pool, words: LimitWords & { value?: string; onBreach?: string }): Promise<Lines> {
  const onBreach = OnBreach.safeParse(words.onBreach ?? 'refuse')
  if (!onBreach.success) throw new Fault('VALIDATION_ERROR', `--on-breach is ${OnBreach.options.join(' or ')}`)
  const by = operatorOf(words)
  const scope = await scopeOf(pool, words)
  const value = words.value?.trim() ?? ''
  checkLimitValue({ ...scope, value })
  const row = await setRiskLimit(pool, {
    ...scope,
    value,
    onBreach: onBreach.data,
    by,
    at: new Date(systemClock.now()),
  })
  return factsOf(
    {
      limited: nameOf(words),
      kind: row.kind,
      value: `${row.value} ${riskLimitUnits[row.kind]}`,
      'on breach': row.on_breach,
      by,
    },
    recordOf({ ...row, account: words.account! }),
  )
}

/** `crossbook limits remove --account <name> --kind <kind> [--key <id>] [--venue <venue>]` */
export async function limitsRemove(pool: Pool, words: LimitWords): Promise<Lines> {
  const by = operatorOf(words)
  const scope = await scopeOf(pool, words)
  if (!(await removeRiskLimit(pool, { ...scope, by, at: new Date(systemClock.now()) })))
    throw new Fault('NOT_FOUND', `${nameOf(words)} has no limit ${scope.kind}: see crossbook limits list`)
  return factsOf({ removed: nameOf(words), kind: scope.kind, by })
}

/** `crossbook limits audit [--account <name>] [--limit <n>]`: every change, newest first. */
export async function limitsAudit(pool: Pool, words: { account?: string; limit?: string } = {}): Promise<Lines> {
  const limit = Number(words.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > auditRowsMax)
    throw new Fault('VALIDATION_ERROR', `limit must be a whole number, 1 to ${auditRowsMax}`)
  const rows = await listRiskLimitAudit(pool, { accountId: await accountIdOf(pool, words), limit })
  if (rows.length === 0) return nothing('no changes')
  const table = [
    ['AT', 'ACTION', 'ACCOUNT', 'KEY', 'VENUE', 'KIND', 'BEFORE', 'AFTER', 'ON BREACH', 'BY'],
    ...rows.map((row) => [
      row.at.toISOString(),
      row.action,
      row.account,
      row.key_id ?? 'all',
      row.venue ?? 'all',
      row.kind,
      row.previous_value ?? '-',
      row.value ?? '-',
      row.on_breach ?? '-',
      row.changed_by,
    ]),
  ]
  return tableOf(table, rows.map(changeOf))
}

const accountIdOf = async (pool: Pool, { account }: { account?: string }): Promise<string | null> =>
  account === undefined ? null : (await accountNamed(pool, account)).id

async function scopeOf(pool: Pool, { account, key, venue, kind }: LimitWords): Promise<RiskLimitScope> {
  if (account === undefined) throw new Fault('VALIDATION_ERROR', '--account <name> is required')
  const parsed = RiskLimitKind.safeParse(kind)
  if (!parsed.success) throw new Fault('VALIDATION_ERROR', `--kind is one of ${RiskLimitKind.options.join(', ')}`)
  const scope = {
    accountId: (await accountNamed(pool, account)).id,
    keyId: key ?? null,
    venue: venue === undefined ? null : venueNamed(venue),
    kind: parsed.data,
  }
  await checkLimitScope(createRiskStore(pool), scope)
  return scope
}

function operatorOf({ by }: LimitWords): string {
  const operator = (by ?? userInfo().username).trim().slice(0, 200)
  if (operator === '') throw new Fault('VALIDATION_ERROR', '--by <name> is required')
  return operator
}

const nameOf = ({ account, key, venue }: LimitWords): string =>
  `${key === undefined ? `account ${account}` : `key ${key} of ${account}`} at ${venue ?? 'all venues'}`

/** Null: all. */
const recordOf = (row: RiskLimitRow & { account: string }): object => ({
  account: row.account,
  keyId: row.key_id,
  venue: row.venue,
  kind: row.kind,
  value: Number(row.value),
  unit: riskLimitUnits[row.kind],
  onBreach: row.on_breach,
  setBy: row.set_by,
  setAt: row.set_at,
})

const changeOf = (row: RiskLimitAuditRow): object => ({
  at: row.at,
  action: row.action,
  account: row.account,
  keyId: row.key_id,
  venue: row.venue,
  kind: row.kind,
  before: row.previous_value === null ? null : Number(row.previous_value),
  after: row.value === null ? null : Number(row.value),
  onBreach: row.on_breach,
  by: row.changed_by,
})
