// Connections to PostgreSQL, embedded or by URL: the same driver, the same limits. A database that is down, slow or full is a retryable error
// within two seconds; no restart is needed afterwards, because the pool opens a new connection for the next query.
import pg from 'pg'
import { backoffMs } from '#core/backoff'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { pause } from '#core/pause'
import type { StartupProvider } from '#core/retryAtStartup'
import type { ErrorCode } from '#schemas/errors'
import { LeanClient } from './pgClient.ts'

export type Pool = pg.Pool
export type PoolClient = pg.PoolClient
/** What a single statement needs: the pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>

export interface PoolOptions {
  url: string
  log: Log
  /** Shown in pg_stat_activity. */
  applicationName?: string
  connectionsMax?: number
  /**
   * The server cancels a statement after this long; the client stops waiting slightly later, in case the server itself hangs.
   */
  statementTimeoutMs?: number
  /** Includes the wait for a free connection. */
  connectTimeoutMs?: number
}

const statementTimeoutDefaultMs = 2_000
const connectTimeoutDefaultMs = 1_500
const connectionsDefault = 10
/** How long after the server's own limit a silent server counts as hung. */
const hungAfterMs = 250
/**
 * The server rolls back a transaction that has been idle for this long, which frees its rows: its process was killed, froze, or lost its
 * connection. None of ours that locks a contended row idles a tenth of it.
 */
export const restsMaxMs = 5_000
/** Settings for transactions that wait for other work between their statements, and whose rows no caller waits for. */
export const isStillResting = { idle_in_transaction_session_timeout: 120_000 }
/** Within the promised two seconds, counted from the call, including all waiting. */
const answerWithinMs = 1_900

export function createPool(options: PoolOptions): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? statementTimeoutDefaultMs
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName ?? 'crossbook',
    max: options.connectionsMax ?? connectionsDefault,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + hungAfterMs,
    idle_in_transaction_session_timeout: restsMaxMs,
    connectionTimeoutMillis: options.connectTimeoutMs ?? connectTimeoutDefaultMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements a transaction issues at once are pipelined.
    pipeline: true,
    Client: LeanClient as unknown as pg.PoolConfig['Client'],
  })
  // A server that goes away closes idle connections; without a listener that event would end the process.
  pool.on('error', (error) => {
    // During our own shutdown it may well disconnect first.
    if (!pool.ending) options.log.warn({ err: error }, 'idle PostgreSQL connection lost')
  })
  // Emitted before the pool hands out the connection: in between there is no other error listener, and a lost connection would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  dropHalfOpen(pool)
  return pool
}

/**
 * When a statement is not answered, its connection may be half-open, and idle connections then are as well: each would cost its next statement the
 * same wait. Those without an answer since that statement was sent are closed.
 */
function dropHalfOpen(pool: Pool): void {
  const idle = new Set<LeanClient>()
  const lean = (client: PoolClient): LeanClient => client as unknown as LeanClient
  pool.on('acquire', (client) => idle.delete(lean(client)))
  pool.on('remove', (client) => idle.delete(lean(client)))
  pool.on('release', (error, client) => {
    if (!error) idle.add(lean(client))
  })
  pool.on('connect', (client) =>
    client.on('unanswered' as 'notice', (sentAt: unknown) => {
      for (const other of idle) if (other.answeredAt < (sentAt as number)) other.destroySocket()
    }),
  )
}

export interface TransactionOptions {
  statementTimeoutMs?: number
  /** On the server, for this transaction only. */
  settings?: Readonly<Record<string, string | number>>
  /** If a COMMIT gets no answer, the database is queried for about half a minute whether it took effect. */
  resolvesUnknownCommit?: boolean
}

/** Runs `work` in one transaction on one connection; any error rolls everything back. Limits are for this transaction only. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: Queryable) => Promise<T>,
  { statementTimeoutMs = 30_000, settings = {}, resolvesUnknownCommit = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection lost between two statements is reported by the next one; the event itself must not end the process.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  let xid: string | null = null
  let done: { result: T } | null = null
  let commitError: unknown
  /** Of the first statement that failed: those behind it only say that the transaction is aborted. */
  let failure: unknown
  try {
    const all = { statement_timeout: Math.round(statementTimeoutMs), ...settings }
    const set = Object.entries(all).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
    const xidQuery = resolvesUnknownCommit ? ['SELECT pg_current_xact_id()::text AS xid'] : []
    // Awaited before anything else is sent: if it fails, for example because it is cancelled, each statement after it would be committed by
    // itself.
    const answers = (await client.query(['BEGIN', ...set, ...xidQuery].join('; '))) as unknown as pg.QueryResult<{
      xid: string
    }>[]
    if (resolvesUnknownCommit) xid = answers.at(-1)!.rows[0]!.xid
    const patient: Queryable['query'] = ((question: string | pg.QueryConfig, values?: unknown[]) => {
      const statement = typeof question === 'string' ? { text: question, values } : question
      const pending = client.query({ ...statement, query_timeout: statementTimeoutMs + hungAfterMs } as pg.QueryConfig)
      return pending.catch((error: unknown) => {
        failure ??= error
        throw error
      })
    }) as never
    done = { result: await work({ query: patient }) }
    const { command } = await client.query('COMMIT')
    // The server's answer after a failed statement, even if its error was caught.
    if (command === 'ROLLBACK') {
      throw new Error('a statement of the transaction had failed: it was rolled back', { cause: failure })
    }
    return done.result
  } catch (error) {
    if (done !== null && xid !== null && isOutage(error)) {
      commitError = error
      broken = error as Error
    } else {
      // If even the rollback fails, the connection is closed below, which rolls back as well.
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError
      })
      throw isAborted(error) ? (failure ?? error) : error
    }
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
  if (await isCommitted(pool, xid)) return done.result
  throw commitError
}

const isAborted = (error: unknown): boolean => (error as { code?: unknown }).code === '25P02'

const commitCheckBackoff = { baseMs: 100, capMs: 4_000 }
const commitCheckTriesMax = 14

/** False: it was rolled back, or the answer is unknown. */
async function isCommitted(pool: Pool, xid: string): Promise<boolean> {
  for (let tried = 0; tried < commitCheckTriesMax && !pool.ending; tried++) {
    try {
      const { rows } = await pool.query<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [xid])
      const { status } = rows[0]!
      if (status !== 'in progress') return status === 'committed'
    } catch (error) {
      if (!isOutage(error)) throw error
    }
    await pause(systemClock, backoffMs(tried, commitCheckBackoff, Math.random))
  }
  return false
}

/**
 * Turns "the database cannot answer now" into the retryable error `code` and passes every other error through unchanged: a wrong statement
 * is a bug, not an outage. Settles within `withinMs` even if nothing else times out.
 */
export async function asUnavailable<T>(
  code: ErrorCode,
  work: Promise<T>,
  { withinMs = answerWithinMs }: { withinMs?: number } = {},
): Promise<T> {
  let giveUp: (reason: Fault) => void
  const deadline = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const timer = systemClock.after(withinMs, () => giveUp(unavailable(code, `no answer within ${withinMs} ms`)))
  try {
    return await Promise.race([work, deadline])
  } catch (error) {
    throw isOutage(error) ? unavailable(code, (error as Error).message, error) : error
  } finally {
    timer.cancel()
  }
}

/**
 * Like `asUnavailable`, for writes: once the caller got a timeout error, the write must no longer be committed and should check `isGivenUp`
 * first. If it was committed anyway, `late` is called.
 */
export async function orTimeout<T>(
  code: ErrorCode,
  begin: (isGivenUp: () => boolean) => Promise<T>,
  late: (made: T) => void,
): Promise<T> {
  let isGivenUp = false
  const work = begin(() => isGivenUp)
  try {
    return await asUnavailable(code, work)
  } catch (error) {
    isGivenUp = true
    work.then(late, () => undefined)
    throw error
  }
}

const unavailable = (code: ErrorCode, detail: string, cause?: unknown) =>
  new Fault(code, 'PostgreSQL is not available right now: try again shortly', { detail, cause, retryAfterSeconds: 1 })

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** SQLSTATE: 08 connection, 53 out of resources, 57 operator intervention and statement timeout, 58 system error, and single states. */
const outageClasses = /^(08|53|57|58)/
const outageStates = new Set(['40001', '40P01', '55P03', '25006'])
/** The driver gives these no code. */
const outageMessages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable|Cannot use a pool after/

export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  if (!(error instanceof Error) || error instanceof Fault) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && (networkCodes.has(code) || outageClasses.test(code) || outageStates.has(code))) {
    return true
  }
  return outageMessages.test(error.message)
}

export const postgresAtStartup: StartupProvider = { name: 'PostgreSQL', isOutage, forMs: 30_000 }
