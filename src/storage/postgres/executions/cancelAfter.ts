// Dead man's switches of accounts in PostgreSQL, by the database's clock.
//
//   armed ─set again before the deadline─► armed, with a later one
//     ├─switched off before it─► off
//     └─the deadline passes─► lapsed ─finish─► done
//                               └─lease over─► lapsed, in another process
import type { FieldsOfVenues } from '#schemas/batch'
import type { LapseResult } from '#schemas/cancelAfter'
import { cancelAfterLapsed } from '#schemas/webhookEvents/cancelAfterLapsed'
import type { Queryable } from '../pool.ts'
import { insertOutboxEvents } from '../webhooks/insertOutboxEvents.ts'

export interface NewCancelAfter {
  id: string
  accountId: string
  keyId: string
  seconds: number
  /** Null: every venue. */
  venues: readonly string[] | null
  fields: FieldsOfVenues
}

export interface CancelAfterRow {
  id: string
  account_id: string
  key_id: string
  seconds: number
  venues: string[] | null
  fields: FieldsOfVenues
  deadline: Date
  status: 'armed' | 'off' | 'lapsed' | 'done'
  result: LapseResult | null
  attempts: number
  /** bigint, as text. */
  lease_epoch: string
}

const columns =
  'c.id, c.account_id, c.key_id, c.seconds, c.venues, c.fields, c.deadline, c.status, c.result, c.attempts, c.lease_epoch'

/** Of one statement: whether a deadline has passed, and what follows from it, are decided at one moment. */
const moment = 'moment AS MATERIALIZED (SELECT clock_timestamp() AS now)'

/** Run inside a transaction. Sets the deadline of the account's switch, armed or not, to `seconds` from now. One whose deadline has passed lapses. */
export async function setCancelAfter(db: Queryable, wanted: NewCancelAfter): Promise<void> {
  const { id, accountId, keyId, seconds, venues, fields } = wanted
  const given = [keyId, seconds, venues, JSON.stringify(fields)]
  const { rows } = await db.query<Pick<CancelAfterRow, 'status'>>(
    `WITH ${moment}
     UPDATE cancel_after c SET
       status = CASE WHEN c.deadline <= moment.now THEN 'lapsed' ELSE 'armed' END,
       leased_until = CASE WHEN c.deadline <= moment.now THEN moment.now END,
       key_id = CASE WHEN c.deadline <= moment.now THEN c.key_id ELSE $2::uuid END,
       seconds = CASE WHEN c.deadline <= moment.now THEN c.seconds ELSE $3::integer END,
       venues = CASE WHEN c.deadline <= moment.now THEN c.venues ELSE $4::text[] END,
       fields = CASE WHEN c.deadline <= moment.now THEN c.fields ELSE $5::jsonb END,
       deadline = CASE WHEN c.deadline <= moment.now THEN c.deadline ELSE moment.now + $3::integer * interval '1 second' END,
       updated_at = greatest(moment.now, c.updated_at)
     FROM moment WHERE c.account_id = $1 AND c.status = 'armed' RETURNING c.status`,
    [accountId, ...given],
  )
  if (rows[0]?.status === 'armed') return
  await db.query(
    `INSERT INTO cancel_after (id, account_id, key_id, seconds, venues, fields, deadline, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4::integer, $5, $6, clock_timestamp() + $4::integer * interval '1 second', 'armed', clock_timestamp(),
       clock_timestamp())
     ON CONFLICT (account_id) WHERE status = 'armed' DO UPDATE SET key_id = EXCLUDED.key_id, seconds = EXCLUDED.seconds,
       venues = EXCLUDED.venues, fields = EXCLUDED.fields, deadline = EXCLUDED.deadline, updated_at = EXCLUDED.updated_at`,
    [id, accountId, ...given],
  )
}

/** Switches it off, unless its deadline has passed: then it lapses. */
export async function endCancelAfter(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `WITH ${moment}
     UPDATE cancel_after c SET status = CASE WHEN c.deadline <= moment.now THEN 'lapsed' ELSE 'off' END,
       fields = CASE WHEN c.deadline <= moment.now THEN c.fields ELSE '{}' END,
       leased_until = CASE WHEN c.deadline <= moment.now THEN moment.now END, updated_at = greatest(moment.now, c.updated_at)
     FROM moment WHERE c.account_id = $1 AND c.status = 'armed'`,
    [accountId],
  )
}

export interface CancelAfterState {
  armed: CancelAfterRow | null
  lastLapse: CancelAfterRow | null
}

export async function readCancelAfter(db: Queryable, accountId: string): Promise<CancelAfterState> {
  const { rows } = await db.query<CancelAfterRow>(
    `(SELECT ${columns} FROM cancel_after c WHERE c.account_id = $1 AND c.status = 'armed')
     UNION ALL
     (SELECT ${columns} FROM cancel_after c WHERE c.account_id = $1 AND c.status IN ('lapsed', 'done')
      ORDER BY c.deadline DESC LIMIT 1)`,
    [accountId],
  )
  return {
    armed: rows.find(({ status }) => status === 'armed') ?? null,
    lastLapse: rows.find(({ status }) => status !== 'armed') ?? null,
  }
}

/** Takes up to `limit` whose deadline has passed, for `leaseMs`. */
export async function takeLapsed(
  db: Queryable,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<CancelAfterRow[]> {
  const { rows } = await db.query<CancelAfterRow>(
    `WITH due AS (
       SELECT id FROM cancel_after WHERE (status = 'armed' AND deadline <= clock_timestamp())
         OR (status = 'lapsed' AND leased_until <= clock_timestamp())
       ORDER BY deadline LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE cancel_after c SET status = 'lapsed', leased_until = clock_timestamp() + $2 * interval '1 millisecond',
       lease_epoch = c.lease_epoch + 1, attempts = c.attempts + 1, updated_at = clock_timestamp()
     FROM due WHERE c.id = due.id RETURNING ${columns}`,
    [limit, leaseMs],
  )
  return rows
}

export interface LapseLease {
  id: string
  /** Of the row as taken. */
  epoch: string
}

/** Run inside a transaction: its event is stored with it. False: another process has taken it over. */
export async function finishLapse(
  db: Queryable,
  { id, epoch }: LapseLease,
  { result, at }: { result: LapseResult; at: Date },
): Promise<boolean> {
  const { rows } = await db.query<CancelAfterRow>(
    `UPDATE cancel_after c SET status = 'done', fields = '{}', result = $3, leased_until = NULL, updated_at = clock_timestamp()
     WHERE c.id = $1 AND c.status = 'lapsed' AND c.lease_epoch = $2 RETURNING ${columns}`,
    [id, epoch, JSON.stringify(result)],
  )
  const row = rows[0]
  if (row === undefined) return false
  const built = result.orders.filter(({ cancelExecutionId }) => cancelExecutionId !== null).length
  const counts = { built, refused: result.orders.length - built, remaining: result.remaining }
  const stored = cancelAfterLapsed({ cancelAfterId: id, deadline: row.deadline, at, ...counts })
  await insertOutboxEvents(db, [{ accountId: row.account_id, stored }], at)
  return true
}

/** For a passing reason: it is taken again after `delayMs`. */
export async function postponeLapse(db: Queryable, { id, epoch }: LapseLease, delayMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE cancel_after SET leased_until = clock_timestamp() + $3 * interval '1 millisecond', updated_at = clock_timestamp()
     WHERE id = $1 AND status = 'lapsed' AND lease_epoch = $2`,
    [id, epoch, delayMs],
  )
  return rowCount === 1
}
