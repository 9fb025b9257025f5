// The switch that stops trading: set, lifted, and checked before every trade. The table is the only source of truth; no process keeps a
// copy.
//
//   claim:  halt_of (shared lock) ─► rows ─► COMMIT        halt:  row and audit, committed ─► exclusive lock, got and let go ─► answer
//
// A trigger checks too; it waits for no lock and takes only orders that are not being halted.
//
// A claim that did not see the halt acquired its lock before the halt was committed, so it has ended by the time of the answer; all others
// see it. The halt takes effect immediately, even if a claim hangs in an unresponsive process.

import { Fault } from '#core/fault'
import { inTransaction, isOutage, type Pool, type Queryable, restsMaxMs } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'

export type HaltSetter = 'account' | 'operator'

export interface HaltRow {
  /** bigint, as text. */
  id: string
  /** Null: all accounts. */
  account_id: string | null
  /** Null: all venues. */
  venue: string | null
  set_by: HaltSetter
  reason: string
  since: Date
}

export interface HaltCommand {
  /** Null: all accounts. */
  accountId: string | null
  /** Null: all venues. */
  venue: string | null
  setBy: HaltSetter
  /** The key's id, or the operator's name. */
  setByName: string
  reason: string
  at: Date
}

/** Any number works as long as nothing else on the server uses it with an account; 021_halts_and_living_orders.sql uses it, too. */
const haltLock = 724_604
/** Claims in progress have ended sooner than this, also those of a process that froze. */
export const haltLockTimeoutMs = restsMaxMs + 2_000

const stopping = prepared('SELECT id, account_id, venue, set_by, reason, since FROM halt_of($1, $2)')

/**
 * What stops the account from trading at the venue; null: nothing. Called within a transaction, before it locks any row: no such halt is
 * acknowledged until that transaction has ended.
 */
export async function haltOf(db: Queryable, accountId: string, venue: string): Promise<HaltRow | null> {
  const { rows } = await db.query<HaltRow>(stopping([accountId, venue]))
  return rows[0] ?? null
}

const holding = prepared(`WITH accounts AS MATERIALIZED (
    SELECT account_id, pg_try_advisory_xact_lock_shared(${haltLock}, hashtext(account_id::text)) AS free
    FROM (SELECT DISTINCT account_id FROM conditional_orders WHERE id = ANY ($1::uuid[])) x
  ), everybody AS MATERIALIZED (SELECT pg_try_advisory_xact_lock_shared(${haltLock}, 0) AS free)
  SELECT c.id FROM everybody e CROSS JOIN conditional_orders c JOIN accounts a ON a.account_id = c.account_id
  WHERE c.id = ANY ($1::uuid[]) AND e.free AND a.free`)

/**
 * Of these conditional orders, those whose account is not being halted. Called within a transaction, before it locks any row: no halt of
 * theirs is acknowledged until that transaction has ended, and later statements see every halt that was. Waits for no lock.
 */
export async function lockHalts(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(holding([ids]))
  return new Set(rows.map(({ id }) => id))
}

/**
 * False: it was already halted, and stays so for the first reason. Resolves once every claim that did not see the halt has ended;
 * throws EXEC_UNAVAILABLE while one has not, though the halt is in effect.
 */
export async function insertHalt(pool: Pool, word: HaltCommand): Promise<boolean> {
  const made = await recordChange(pool, insertion, word)
  await waitForClaims(
    pool,
    word.accountId,
    'the halt is in effect, but a submit that began before it has not ended yet: try again',
  )
  return made
}

/**
 * Resolves once every claim of the account (null: of all accounts) that has begun so far has ended; throws EXEC_UNAVAILABLE with `message`
 * while one has not.
 */
export async function waitForClaims(pool: Pool, accountId: string | null, message: string): Promise<void> {
  try {
    await inTransaction(pool, (client) => client.query(exclusive, [haltLock, accountId]), {
      statementTimeoutMs: haltLockTimeoutMs,
    })
  } catch (cause) {
    if (!isOutage(cause)) throw cause
    throw new Fault('EXEC_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 })
  }
}

/** False: it was not halted. */
export const deleteHalt = (db: Queryable, word: HaltCommand): Promise<boolean> => recordChange(db, deletion, word)

/** Oldest first. `accountId`: what stops this account, regardless of who set it; null: all halts. */
export async function listHalts(
  db: Queryable,
  accountId: string | null,
): Promise<(HaltRow & { account: string | null })[]> {
  const { rows } = await db.query<HaltRow & { account: string | null }>(
    `SELECT h.*, a.name AS account FROM trading_halts h LEFT JOIN accounts a ON a.id = h.account_id
     WHERE $1::uuid IS NULL OR h.account_id = $1 OR h.account_id IS NULL ORDER BY h.id`,
    [accountId],
  )
  return rows
}

async function recordChange(db: Queryable, change: string, word: HaltCommand): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH changed AS (${change})
     INSERT INTO trading_halt_audit (action, account_id, venue, set_by, said_by, reason, at)
     SELECT $7, $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::timestamptz FROM changed`,
    [
      word.accountId,
      word.venue,
      word.setBy,
      word.setByName,
      word.reason,
      word.at,
      change === insertion ? 'halt' : 'resume',
    ],
  )
  return rowCount === 1
}

const exclusive = 'SELECT pg_advisory_xact_lock($1, CASE WHEN $2::text IS NULL THEN 0 ELSE hashtext($2) END)'

const insertion = `INSERT INTO trading_halts (account_id, venue, set_by, reason, since) VALUES ($1::uuid, $2::text, $3::text, $5::text, $6::timestamptz)
     ON CONFLICT DO NOTHING RETURNING 1`
const deletion = `DELETE FROM trading_halts
     WHERE account_id IS NOT DISTINCT FROM $1::uuid AND venue IS NOT DISTINCT FROM $2::text AND set_by = $3::text RETURNING 1`
