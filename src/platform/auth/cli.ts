// `crossbook keys …`: takes arguments, returns lines to print. No terminal or process access here.

import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import type { Pool } from '#storage/postgres/pool'
import { planNames } from '../plans/plans.ts'
import { createKey, type IssuedKey, listKeys, revokeKey, rotateKey } from './keys.ts'
import type { PlanName, Scope } from './principal.ts'

const scopeNames: readonly Scope[] = ['read', 'trade', 'review', 'admin']

/** `crossbook keys create --account <name> --plan <plan> --scopes read,trade [--paper]` */
export async function keysCreate(
  pool: Pool,
  words: { account?: string; plan?: string; scopes?: string; paper?: boolean },
): Promise<Lines> {
  const issued = await createKey(pool, {
    account: words.account ?? 'default',
    plan: readPlan(words.plan ?? 'free'),
    scopes: readScopes(words.scopes ?? 'read'),
    paper: words.paper === true,
  })
  return withRecords(issuedLines(issued), [recordOf(issued)])
}

/** `crossbook keys list [--account <name>]`: one line per key, columns aligned, never the key itself. */
export async function keysList(pool: Pool, words: { account?: string } = {}): Promise<Lines> {
  const keys = await listKeys(pool, words.account ?? null)
  if (keys.length === 0) return withRecords(['no keys'], [])
  const table = [
    ['KEY ID', 'ACCOUNT', 'BEGINS', 'PLAN', 'SCOPES', 'CREATED', 'LAST USED', 'STATE'],
    ...keys.map((key) => [
      key.keyId,
      key.account,
      key.prefix,
      key.plan,
      key.scopes.join(','),
      key.createdAt.toISOString().slice(0, 10),
      key.lastUsedDay ?? 'never',
      key.revokedAt === null ? 'live' : `${key.live ? 'ends' : 'revoked'} ${key.revokedAt.toISOString()}`,
    ]),
  ]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return withRecords(lines, keys)
}

/** `crossbook keys revoke <keyId>` */
export async function keysRevoke(pool: Pool, keyId: string): Promise<Lines> {
  if (!(await revokeKey(pool, keyId))) throw noSuchKey(keyId)
  return withRecords([`revoked ${keyId}`], [{ revoked: keyId }])
}

/** `crossbook keys rotate <keyId> [--grace <seconds>]` */
export async function keysRotate(pool: Pool, keyId: string, words: { grace?: string } = {}): Promise<Lines> {
  const graceSeconds = Number(words.grace ?? 0)
  if (!Number.isInteger(graceSeconds) || graceSeconds < 0 || graceSeconds > 30 * 86_400) {
    throw new Fault('VALIDATION_ERROR', 'grace must be whole seconds, at most 30 days')
  }
  const issued = await rotateKey(pool, keyId, graceSeconds)
  if (issued === null) throw noSuchKey(keyId)
  const before = graceSeconds === 0 ? `revoked ${keyId}` : `${keyId} ends in ${graceSeconds} s`
  return withRecords([...issuedLines(issued), before], [{ ...recordOf(issued), replaces: keyId, graceSeconds }])
}

const noSuchKey = (keyId: string) => new Fault('NOT_FOUND', `no live key ${keyId}: see crossbook keys list`)

/** The key itself, this once. */
const recordOf = ({ apiKey, keyId, account, plan, scopes }: IssuedKey): object => ({
  apiKey,
  keyId,
  account,
  plan,
  scopes,
})

const issuedLines = (issued: IssuedKey): string[] => [
  `key     ${issued.apiKey}`,
  `id      ${issued.keyId}`,
  `account ${issued.account}`,
  `plan    ${issued.plan}`,
  `scopes  ${issued.scopes.join(',')}`,
  'The key is shown only once and is not stored: save it now.',
]

function readPlan(word: string): PlanName {
  const plan = planNames.find((name) => name === word)
  if (plan === undefined) throw new Fault('VALIDATION_ERROR', `plan must be one of ${planNames.join(', ')}`)
  return plan
}

function readScopes(words: string): Scope[] {
  return words.split(',').map((word) => {
    const scope = scopeNames.find((name) => name === word.trim())
    if (scope === undefined) throw new Fault('VALIDATION_ERROR', `scopes must be among ${scopeNames.join(', ')}`)
    return scope
  })
}
