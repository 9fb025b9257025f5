// The steps of algorithms. One process takes each step, by a lease; what is written under an older lease is refused.
//
//   running ─────────────► completed | expired | failed   (no slice is live)
//      └─► ending ───────► what `ends_as` says            (the live slice is withdrawn first)
//
//   planned ─┐
//            ├─► decided ─► awaiting_signature ─► sent ─► ended
//            └───────────► ready ───────────────► sent ─► ended
import type { AlgorithmEnd, AlgorithmSliceOutcome, AlgorithmWait } from '#schemas/algorithms'
import type { Queryable } from '../pool.ts'
import { type AlgorithmRow, algorithmColumns, isLive, isRunning } from './algorithmRow.ts'

export interface AlgorithmLease {
  id: string
  /** Of the row as taken. */
  epoch: string
}

interface DueSteps {
  limit: number
  /** At each venue at most `max`, those that are in progress included. */
  venueLimit?: { max: number; running: Readonly<Record<string, number>> }
  leaseMs: number
  at: Date
}

const isDue = `${isRunning} AND due_at <= $3 AND (leased_until IS NULL OR leased_until <= clock_timestamp())`

/** Of one venue; the largest integer of PostgreSQL. */
const unlimited = 2_147_483_647

/** Takes the step of up to `limit` algorithms that are due, for `leaseMs` by the database's clock. */
export async function takeDueAlgorithms(
  db: Queryable,
  { limit, venueLimit, leaseMs, at }: DueSteps,
): Promise<AlgorithmRow[]> {
  const { max, running } = venueLimit ?? { max: unlimited, running: {} }
  const { rows } = await db.query<AlgorithmRow>(
    `WITH ranked AS (
       SELECT id, row_number() OVER (PARTITION BY venue ORDER BY due_at, id) + coalesce(($5::jsonb ->> venue)::integer, 0) AS place
       FROM execution_algorithms WHERE ${isDue}
     ), due AS (
       SELECT x.id FROM execution_algorithms x JOIN ranked r ON r.id = x.id WHERE r.place <= $4::integer AND ${isDue}
       ORDER BY x.due_at, x.id LIMIT $1 FOR UPDATE OF x SKIP LOCKED
     ), a AS (
       UPDATE execution_algorithms x SET leased_until = clock_timestamp() + $2 * interval '1 millisecond', lease_epoch = x.lease_epoch + 1
       FROM due WHERE x.id = due.id RETURNING x.*
     )
     SELECT ${algorithmColumns} FROM a`,
    [limit, leaseMs, at, max, JSON.stringify(running)],
  )
  return rows
}

export interface DecidedSlice {
  price: string
  size: string
  takes: boolean
  stage: number
}

const held = (statuses: string) => `held AS (
  SELECT id FROM execution_algorithms WHERE id = $1 AND lease_epoch = $2 AND ${statuses} FOR UPDATE)`
const onlyRunning = "status = 'running'"

/** Null: the lease is lost, or it was canceled. Otherwise the number of the slice. */
export async function decideSlice(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { price, size, takes, stage }: DecidedSlice,
  at: Date,
): Promise<number | null> {
  const { rows } = await db.query<{ number: number }>(
    `WITH ${held(onlyRunning)}
     INSERT INTO execution_algorithm_slices (algorithm_id, number, status, stage, price, size, takes, decided_at)
     SELECT id, (SELECT coalesce(max(number) + 1, 0) FROM execution_algorithm_slices WHERE algorithm_id = $1), 'decided', $3::integer,
       $4::numeric, $5::numeric, $6::boolean, $7::timestamptz
     FROM held RETURNING number`,
    [id, epoch, stage, price, size, takes, at],
  )
  return rows[0]?.number ?? null
}

/** A slice that was signed in advance becomes the live one. False: the lease is lost, or it was canceled. */
export async function usePlanned(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { number, stage }: { number: number; stage: number },
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ${held(onlyRunning)}
     UPDATE execution_algorithm_slices s SET status = 'ready', stage = $4, decided_at = $5 FROM held
     WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status = 'planned'`,
    [id, epoch, number, stage, at],
  )
  return rowCount === 1
}

/** Its execution. `signBy` null: it is sent from here. False: the lease is lost. */
export async function recordBuilt(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { number, executionId, signBy, at }: { number: number; executionId: string; signBy: Date | null; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ${held(isRunning)}, s AS (
       UPDATE execution_algorithm_slices s SET execution_id = $4, sign_by = $5,
         status = CASE WHEN $5::timestamptz IS NULL THEN 'ready' ELSE 'awaiting_signature' END
       FROM held WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status = 'decided' RETURNING s.algorithm_id
     )
     INSERT INTO execution_algorithm_events (algorithm_id, event, at) SELECT algorithm_id, 'slice_offered', $6::timestamptz FROM s`,
    [id, epoch, number, executionId, signBy, at],
  )
  return rowCount === 1
}

/** Before each attempt to send it. Null: the lease is lost, or it was canceled. Otherwise the number of the attempt. */
export async function countAttempt(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  number: number,
): Promise<number | null> {
  const { rows } = await db.query<{ attempts: number }>(
    `WITH ${held(onlyRunning)}
     UPDATE execution_algorithm_slices s SET attempts = s.attempts + 1 FROM held
     WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status = 'ready' RETURNING s.attempts`,
    [id, epoch, number],
  )
  return rows[0]?.attempts ?? null
}

/** The submit body of a slice that was signed in advance; null: the lease is lost, or there is none. */
export async function readSealed(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  number: number,
): Promise<{ sealed: Buffer; keyId: string; sha256: Buffer } | null> {
  const { rows } = await db.query<{ sealed: Buffer; keyId: string; sha256: Buffer }>(
    `SELECT s.sealed, s.sealed_key AS "keyId", s.sealed_sha256 AS sha256
     FROM execution_algorithm_slices s JOIN execution_algorithms a ON a.id = s.algorithm_id
     WHERE s.algorithm_id = $1 AND a.lease_epoch = $2 AND s.number = $3 AND s.sealed IS NOT NULL`,
    [id, epoch, number],
  )
  return rows[0] ?? null
}

/** Its execution left: here, or sent by its owner. False: the lease is lost. */
export async function recordSent(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { number, at }: { number: number; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ${held(isRunning)}, s AS (
       UPDATE execution_algorithm_slices s SET status = 'sent', sealed = NULL FROM held
       WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status IN ('awaiting_signature', 'ready') RETURNING s.algorithm_id
     )
     INSERT INTO execution_algorithm_events (algorithm_id, event, at) SELECT algorithm_id, 'slice_sent', $4::timestamptz FROM s`,
    [id, epoch, number, at],
  )
  return rowCount === 1
}

/** Before a cancel is built. Null: the lease is lost. Otherwise its number. */
export async function countCancel(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { number, at }: { number: number; at: Date },
): Promise<number | null> {
  const { rows } = await db.query<{ cancels: number }>(
    `WITH ${held(isRunning)}
     UPDATE execution_algorithm_slices s SET canceled_at = coalesce(s.canceled_at, $4), cancel_id = NULL,
       -- A repeated step builds the same cancel.
       cancels = s.cancels + CASE WHEN s.cancels = 0 OR s.cancel_id IS NOT NULL THEN 1 ELSE 0 END
     FROM held WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status = 'sent' RETURNING s.cancels`,
    [id, epoch, number, at],
  )
  return rows[0]?.cancels ?? null
}

/** The execution of its cancel. `isOffered`: its owner has to submit it. False: the lease is lost. */
export async function recordCancel(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { number, cancelId, isOffered, at }: { number: number; cancelId: string; isOffered: boolean; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ${held(isRunning)}, s AS (
       UPDATE execution_algorithm_slices s SET cancel_id = $4 FROM held
       WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status = 'sent' RETURNING s.algorithm_id
     )
     INSERT INTO execution_algorithm_events (algorithm_id, event, at)
     SELECT algorithm_id, CASE WHEN $5::boolean THEN 'cancel_offered' ELSE 'cancel_built' END, $6::timestamptz FROM s`,
    [id, epoch, number, cancelId, isOffered, at],
  )
  return rowCount === 1
}

export interface EndedSlice {
  number: number
  outcome: AlgorithmSliceOutcome
  /** Decimal string; null: unknown. */
  filledSize: string | null
  averagePrice: string | null
  error: string | null
  /** From now on no slice is sent, and it ends as that; null: it goes on. */
  endsAs: AlgorithmEnd | null
  at: Date
}

/** False: the lease is lost. */
export async function endSlice(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { number, outcome, filledSize, averagePrice, error, endsAs, at }: EndedSlice,
): Promise<boolean> {
  const isFailure = outcome === 'failed' || outcome === 'refused'
  const { rowCount } = await db.query(
    `WITH ${held(isRunning)}, s AS (
       UPDATE execution_algorithm_slices s SET status = 'ended', outcome = $4, filled_size = $5, average_price = $6, error = $7,
         ended_at = $8, sealed = NULL, sealed_key = NULL, sealed_sha256 = NULL
       FROM held WHERE s.algorithm_id = held.id AND s.number = $3 AND s.status <> 'ended' RETURNING s.algorithm_id
     ), a AS (
       UPDATE execution_algorithms a SET last_error = coalesce($7, a.last_error), updated_at = greatest($8, a.updated_at),
         failures = CASE WHEN $9 THEN a.failures + 1 WHEN $10 THEN a.failures ELSE 0 END,
         unsigned_count = CASE WHEN $10 THEN a.unsigned_count + 1 WHEN $9 THEN a.unsigned_count ELSE 0 END,
         status = CASE WHEN $11::text IS NULL THEN a.status ELSE 'ending' END, ends_as = coalesce(a.ends_as, $11)
       FROM s WHERE a.id = s.algorithm_id
     )
     INSERT INTO execution_algorithm_events (algorithm_id, event, at) SELECT algorithm_id, 'slice_ended', $8::timestamptz FROM s`,
    [id, epoch, number, outcome, filledSize, averagePrice, error, at, isFailure, outcome === 'unsigned', endsAs],
  )
  return rowCount === 1
}

export interface StepEnd {
  waitReason: AlgorithmWait
  /** Null: the last one is kept. */
  lastError: string | null
  /** Decimal strings; null: unknown. */
  filledSize: string | null
  averagePrice: string | null
  dueAt: Date
  at: Date
}

/** The lease ends. False: it was lost. */
export async function endStep(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  { waitReason, lastError, filledSize, averagePrice, dueAt, at }: StepEnd,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ${held(isRunning)}
     UPDATE execution_algorithms a SET leased_until = NULL, wait_reason = $3, last_error = coalesce($4, a.last_error), filled_size = $5,
       average_price = $6,
       -- Canceled during the step: the next one is due at once.
       due_at = CASE WHEN a.status = 'ending' AND a.wait_reason IS NULL THEN $8::timestamptz ELSE $7::timestamptz END,
       updated_at = CASE WHEN a.filled_size IS DISTINCT FROM $5 OR a.wait_reason IS DISTINCT FROM $3 THEN greatest($8, a.updated_at)
         ELSE a.updated_at END
     FROM held WHERE a.id = held.id`,
    [id, epoch, waitReason, lastError, filledSize, averagePrice, dueAt, at],
  )
  return rowCount === 1
}

/** Without a live slice. False: the lease is lost. */
export async function finishAlgorithm(
  db: Queryable,
  { id, epoch }: AlgorithmLease,
  {
    as,
    lastError,
    filledSize,
    averagePrice,
    at,
  }: Pick<StepEnd, 'lastError' | 'filledSize' | 'averagePrice' | 'at'> & { as: AlgorithmEnd },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ${held(isRunning)}, s AS (
       -- Those that were signed in advance and not used.
       UPDATE execution_algorithm_slices s SET status = 'ended', outcome = 'withdrawn', filled_size = 0, ended_at = $7, sealed = NULL,
         sealed_key = NULL, sealed_sha256 = NULL
       FROM held WHERE s.algorithm_id = held.id AND s.status = 'planned'
     ), a AS (
       UPDATE execution_algorithms a SET status = coalesce(a.ends_as, $3), ends_as = NULL, leased_until = NULL, wait_reason = NULL,
         last_error = coalesce($4, a.last_error), filled_size = $5, average_price = $6, ended_at = $7, updated_at = greatest($7, a.updated_at)
       FROM held WHERE a.id = held.id
         AND NOT EXISTS (SELECT FROM execution_algorithm_slices l WHERE l.algorithm_id = held.id AND l.${isLive}) RETURNING a.id
     ), e AS (
       INSERT INTO execution_algorithm_events (algorithm_id, event, at) SELECT id, 'ended', $7::timestamptz FROM a
     )
     SELECT FROM a`,
    [id, epoch, as, lastError, filledSize, averagePrice, at],
  )
  return rowCount === 1
}
