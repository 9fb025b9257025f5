// The driver's connection without its promises and its own read timeout. Both set the callback of a query after it was created, and then
// the rows it reads survive two young-generation collections and are promoted to the old one: nearly half of everything allocated while
// rows are read, and pauses ten times as long. A callback passed at creation avoids that.
//
// Statements that are pipelined in one turn of the event loop leave in one write: a write of its own costs each of them a tenth of a
// millisecond, more than all else the driver does for it.
import type { Writable } from 'node:stream'
import pg from 'pg'
import { systemClock, type Timer } from '#core/clock'

type Callback = (error: Error | null | undefined, result?: pg.QueryResult) => void
type Statement = pg.QueryConfig & { query_timeout?: number }

interface Driver {
  emit(event: 'unanswered', sentAt: number): boolean
  query(statement: Statement, values: unknown, done: Callback): unknown
}
const Driver = pg.Client as unknown as new (config: pg.ClientConfig) => Driver

/**
 * On the server: a client that vanished silently is noticed within about 25 seconds of silence, and within 10 while an answer is pending.
 * Unsupported servers (a Unix socket, some systems) do without.
 */
const deadClients =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000'

/**
 * Takes texts and statements, with values; no cursors. Without an answer within `query_timeout` milliseconds it fails like the driver, and emits
 * `unanswered` with the time at which it sent the statement (monotonic ms).
 */
export class LeanClient extends Driver {
  private readonly answerWithinMs: number
  /** When the server last answered a statement, monotonic ms; minus infinity before the first answer. */
  answeredAt = Number.NEGATIVE_INFINITY

  constructor(config: pg.ClientConfig) {
    super({ ...config, query_timeout: undefined })
    this.answerWithinMs = config.query_timeout ?? 0
    // Options in the URL come last and take precedence.
    const { connectionParameters: given } = this as unknown as { connectionParameters: { options?: string } }
    given.options = [deadClients, given.options].filter(Boolean).join(' ')
  }

  override query(
    config: string | Statement,
    valuesOrDone?: unknown[] | Callback,
    done?: Callback,
  ): Promise<pg.QueryResult> | undefined {
    const statement = typeof config === 'string' ? { text: config } : config
    const [values, callback] = typeof valuesOrDone === 'function' ? [undefined, valuesOrDone] : [valuesOrDone, done]
    if (callback !== undefined) {
      this.sendStatement(statement, values, callback)
      return
    }
    return new Promise<pg.QueryResult>((resolve, reject) => {
      this.sendStatement(statement, values, (error, result) => (error ? reject(error) : resolve(result!)))
    }).catch((error: Error) => {
      // The caller's stack trace, not the socket's.
      Error.captureStackTrace(error)
      throw error
    })
  }

  /** Closes the socket without a Terminate message, which a half-open connection would never confirm. */
  destroySocket(): void {
    this.socket.destroy()
  }

  private get socket(): Writable {
    return (this as unknown as { connection: { stream: Writable } }).connection.stream
  }

  /** Until the end of the event loop turn. */
  private gather(): void {
    const stream = this.socket
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  private sendStatement({ query_timeout, ...statement }: Statement, values: unknown, done: Callback): void {
    const withinMs = query_timeout ?? this.answerWithinMs
    let timer: Timer | null = null
    let isDone = false
    const finish: Callback = (error, result) => {
      if (isDone) return
      isDone = true
      timer?.cancel()
      done(error, result)
    }
    this.gather()
    const sentAt = systemClock.monotonic()
    super.query(statement, values, (error, result) => {
      this.answeredAt = systemClock.monotonic()
      finish(error, result)
    })
    const giveUp = (): void => {
      this.emit('unanswered', sentAt)
      finish(new Error('Query read timeout'))
    }
    if (withinMs > 0) timer = systemClock.after(withinMs, giveUp)
  }
}
