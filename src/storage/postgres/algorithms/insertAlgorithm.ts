// Inserts an algorithm, with its slices if they were signed in advance.
import type { AlgorithmParameters } from '#schemas/algorithms'
import type { FireMode } from '#schemas/conditional'
import type { JsonObject } from '#schemas/executions'
import type { Queryable } from '../pool.ts'
import { type AlgorithmRow, algorithmColumns, isRunning } from './algorithmRow.ts'

export interface NewAlgorithm {
  id: string
  accountId: string
  keyId: string
  key: string
  bodySha256: Buffer
  venue: string
  marketId: string
  outcomeId: string
  side: 'buy' | 'sell'
  parameters: AlgorithmParameters
  mode: FireMode
  build: JsonObject
  cancelBody: JsonObject
  /** Decimal strings. */
  size: string
  limitPrice: string
  sizeStep: string
  minSliceSize: string
  arrivalMid: string | null
  postOnly: boolean
  signWithinMs: number
  startsAt: Date
  expiresAt: Date
  armCountry: string | null
  /** Null: slices are built when they are due. */
  planned: readonly PlannedSlice[] | null
  at: Date
}

export interface PlannedSlice {
  executionId: string
  price: string
  size: string
  takes: boolean
  artifact: { sealed: Buffer; keyId: string; sha256: Buffer }
}

export type InsertAlgorithmResult =
  | { kind: 'made'; row: AlgorithmRow }
  /** The key is used, an execution is a slice of another algorithm, or too many are running; nothing was written. */
  | { kind: 'taken' | 'execution_taken' | 'account_full' }

/** In a transaction. */
export async function insertAlgorithm(
  db: Queryable,
  wanted: NewAlgorithm,
  runningMax: number,
): Promise<InsertAlgorithmResult> {
  // Two requests of one account count after each other.
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('execution_algorithms ' || $1, 0))", [wanted.accountId])
  const { rows: counted } = await db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM execution_algorithms WHERE account_id = $1 AND ${isRunning}`,
    [wanted.accountId],
  )
  if (counted[0]!.n >= runningMax) return { kind: 'account_full' }
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO execution_algorithms (id, account_id, key_id, key, body_sha256, venue, market_id, outcome_id, side, parameters, mode,
       is_signed, build, cancel_body, size, limit_price, size_step, min_slice_size, post_only, sign_within_ms, starts_at, expires_at,
       arm_country, arrival_mid, status, filled_size, due_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, 'running', 0,
       greatest($21::timestamptz, $25), $25, $25)
     ON CONFLICT (account_id, key) DO NOTHING RETURNING id`,
    [
      wanted.id,
      wanted.accountId,
      wanted.keyId,
      wanted.key,
      wanted.bodySha256,
      wanted.venue,
      wanted.marketId,
      wanted.outcomeId,
      wanted.side,
      JSON.stringify(wanted.parameters),
      wanted.mode,
      wanted.planned !== null,
      JSON.stringify(wanted.build),
      JSON.stringify(wanted.cancelBody),
      wanted.size,
      wanted.limitPrice,
      wanted.sizeStep,
      wanted.minSliceSize,
      wanted.postOnly,
      wanted.signWithinMs,
      wanted.startsAt,
      wanted.expiresAt,
      wanted.armCountry,
      wanted.arrivalMid,
      wanted.at,
    ],
  )
  if (rows[0] === undefined) return { kind: 'taken' }
  if (wanted.planned !== null && !(await insertPlanned(db, wanted, wanted.planned))) return { kind: 'execution_taken' }
  await db.query("INSERT INTO execution_algorithm_events (algorithm_id, event, at) VALUES ($1, 'created', $2)", [
    wanted.id,
    wanted.at,
  ])
  const { rows: made } = await db.query<AlgorithmRow>(
    `SELECT ${algorithmColumns} FROM execution_algorithms a WHERE a.id = $1`,
    [wanted.id],
  )
  return { kind: 'made', row: made[0]! }
}

/** False: one of the executions is a slice already. */
async function insertPlanned(
  db: Queryable,
  { id, at }: Pick<NewAlgorithm, 'id' | 'at'>,
  planned: readonly PlannedSlice[],
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO execution_algorithm_slices (algorithm_id, number, status, stage, price, size, takes, execution_id, sealed, sealed_key,
       sealed_sha256, decided_at)
     SELECT $1, g.number - 1, 'planned', g.number - 1, g.price, g.size, g.takes, g.execution_id, g.sealed, g.sealed_key, g.sealed_sha256, $9
     FROM unnest($2::uuid[], $3::numeric[], $4::numeric[], $5::boolean[], $6::bytea[], $7::text[], $8::bytea[]) WITH ORDINALITY
       AS g (execution_id, price, size, takes, sealed, sealed_key, sealed_sha256, number)
     ON CONFLICT (execution_id) DO NOTHING`,
    [
      id,
      planned.map(({ executionId }) => executionId),
      planned.map(({ price }) => price),
      planned.map(({ size }) => size),
      planned.map(({ takes }) => takes),
      planned.map(({ artifact }) => artifact.sealed),
      planned.map(({ artifact }) => artifact.keyId),
      planned.map(({ artifact }) => artifact.sha256),
      at,
    ],
  )
  return rowCount === planned.length
}
