// API keys: generated here, shown once, stored as a hash. `xb_live_` and 32 random bytes in base62; `xb_test_` when lab venues are behind
// them; `xb_paper_` for a paper account, which is the key's own account and trades with nothing but paper.
import { hash, randomBytes } from 'node:crypto'
import { Fault } from '#core/fault'
import { isPlain } from '#core/plainText'
import { isPaperAccount } from '#schemas/paper'
import { findAccountByName } from '#storage/postgres/accounts/findAccount'
import { findKeyById } from '#storage/postgres/keys/findKey'
import { insertKey } from '#storage/postgres/keys/insertKey'
import type { KeyRow } from '#storage/postgres/keys/keyRow'
import { listKeys as listKeyRows } from '#storage/postgres/keys/listKeys'
import { revokeKey as revokeKeyRow } from '#storage/postgres/keys/revokeKey'
import { ensurePaperAccount } from '#storage/postgres/paper/accounts'
import { inTransaction, type Pool, type Queryable } from '#storage/postgres/pool'
import { isLab } from '#storage/postgres/settings'
import { type PlanName, planNames } from '../plans/plans.ts'
import type { Scope } from './principal.ts'

const livePrefix = 'xb_live_'
/** Same length as the other. */
const testPrefix = 'xb_test_'
const paperPrefix = 'xb_paper_'
/** Digits that 32 bytes need in base62. */
const digits = 43
/** Lengths of a whole key, characters. */
const keyLengths: ReadonlySet<number> = new Set([livePrefix, paperPrefix].map((prefix) => prefix.length + digits))
/** Digits of a key kept to recognize it: 48 of its 256 bits, which leaves nothing to guess. */
const shownDigits = 8
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPattern = new RegExp(`^(${livePrefix}|${testPrefix}|${paperPrefix})[0-9A-Za-z]{${digits}}$`)

export interface KeySummary {
  keyId: string
  accountId: string
  account: string
  prefix: string
  plan: PlanName
  scopes: Scope[]
  createdAt: Date
  revokedAt: Date | null
  /** YYYY-MM-DD in UTC, null when never used. */
  lastUsedDay: string | null
  live: boolean
}

export interface IssuedKey extends KeySummary {
  /** Here and nowhere else. */
  apiKey: string
}

export function generateKey(random: (bytes: number) => Buffer = randomBytes, prefix = livePrefix): string {
  let rest = BigInt(`0x${random(32).toString('hex')}`)
  let text = ''
  for (let i = 0; i < digits; i++) {
    text = alphabet[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return prefix + text
}

/** The cheapest check: by length alone. */
export const hasKeyLength = (text: string): boolean => keyLengths.has(text.length)

/** A cheap check before anything is hashed or looked up: malformed text needs no store. */
export const looksLikeKey = (text: string): boolean => hasKeyLength(text) && keyPattern.test(text)

export const hashKey = (apiKey: string): string => hash('sha256', apiKey, 'hex')

export async function createKey(
  db: Queryable,
  {
    account,
    plan,
    scopes,
    paper = false,
  }: {
    account: string
    plan: PlanName
    scopes: readonly Scope[]
    /** For the paper account of this account. */
    paper?: boolean
  },
): Promise<IssuedKey> {
  if (!planNames.includes(plan)) throw new Fault('VALIDATION_ERROR', `plan must be one of ${planNames.join(', ')}`)
  if (scopes.length === 0) throw new Fault('VALIDATION_ERROR', 'a key needs at least one scope')
  requireAccountName(account)
  if (!paper) return issueKey(db, { account, plan, scopes })
  refuseOnPaper(scopes)
  return issueKey(db, { account: (await ensurePaperAccount(db, account)).name, plan, scopes })
}

/** What these scopes decide concerns every account. */
function refuseOnPaper(scopes: readonly Scope[]): void {
  if (scopes.includes('admin') || scopes.includes('review'))
    throw new Fault('VALIDATION_ERROR', 'a paper key has the scopes read and trade only')
}

/** Operators read these names in tables and logs. */
export function requireAccountName(name: string): void {
  if (name.length === 0 || name.length > 200)
    throw new Fault('VALIDATION_ERROR', 'an account name has 1 to 200 characters')
  if (!isPlain(name))
    throw new Fault('VALIDATION_ERROR', 'an account name must not contain control or invisible characters')
}

/** Of an account that may exist already, under a name that would be refused today. */
async function issueKey(
  db: Queryable,
  { account, plan, scopes }: { account: string; plan: PlanName; scopes: readonly Scope[] },
): Promise<IssuedKey> {
  const known = await findAccountByName(db, account)
  const isPaper = known !== null && isPaperAccount(known.id)
  if (isPaper) refuseOnPaper(scopes)
  const prefix = isPaper ? paperPrefix : (await isLab(db)) ? testPrefix : livePrefix
  const apiKey = generateKey(randomBytes, prefix)
  const row = await insertKey(db, {
    accountName: account,
    sha256: Buffer.from(hashKey(apiKey), 'hex'),
    prefix: apiKey.slice(0, prefix.length + shownDigits),
    plan,
    scopes: [...new Set(scopes)],
  })
  return { ...summaryOf(row), apiKey }
}

export const listKeys = async (db: Queryable, account: string | null = null): Promise<KeySummary[]> =>
  (await listKeyRows(db, account)).map(summaryOf)

/** False when there is no such live key. Gateways stop accepting it within the verifier's `cacheMs`. */
export const revokeKey = (db: Queryable, keyId: string): Promise<boolean> => revokeKeyRow(db, keyId)

/** A new key with the rights of the old one, which expires after `graceSeconds`. Atomic. Null when there is no such live key. */
export function rotateKey(pool: Pool, keyId: string, graceSeconds = 0): Promise<IssuedKey | null> {
  return inTransaction(pool, async (db) => {
    if (!(await revokeKeyRow(db, keyId, graceSeconds))) return null
    const old = summaryOf((await findKeyById(db, keyId))!)
    return issueKey(db, { account: old.account, plan: old.plan, scopes: old.scopes })
  })
}

export function summaryOf(row: KeyRow): KeySummary {
  return {
    keyId: row.id,
    accountId: row.account_id,
    account: row.account_name,
    prefix: row.prefix,
    // The table's own checks allow nothing else.
    plan: row.plan as PlanName,
    scopes: row.scopes as Scope[],
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedDay: row.last_used_day,
    live: row.live,
  }
}
