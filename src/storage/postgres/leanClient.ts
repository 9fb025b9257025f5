// The driver's connection without its promises and its own read timeout. Both set the callback of a query that is already made, and then
// the rows it reads outlive two collections of the young memory and wait in the old one: near half of all that is allocated while rows are
// read, and pauses ten times as long. A callback given at the start costs none of that (docs/decisions/0013).
import pg from 'pg'
import { systemClock, type Timer } from '#lib/clock'

type Callback = (error: Error | null | undefined, result?: pg.QueryResult) => void
type Statement = pg.QueryConfig & { query_timeout?: number }

interface Driver {
  query(statement: Statement, values: unknown, done: Callback): unknown
}
const Driver = pg.Client as unknown as new (config: pg.ClientConfig) => Driver

/**
 * Of the server: a client that is gone without a word is noticed within some 25 seconds of silence, and within 10 while an answer waits for it.
 * Where the server cannot (a socket that is a file, a system without it) it does without.
 */
const deadClients =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000'

/** Takes texts and statements, with values; no cursors. Without an answer within `query_timeout` milliseconds it fails as the driver would. */
export class LeanClient extends Driver {
  private readonly answerWithinMs: number

  constructor(config: pg.ClientConfig) {
    super({ ...config, query_timeout: undefined })
    this.answerWithinMs = config.query_timeout ?? 0
    // What the address says itself comes last, and counts.
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
      this.ask(statement, values, callback)
      return
    }
    return new Promise<pg.QueryResult>((resolve, reject) => {
      this.ask(statement, values, (error, result) => (error ? reject(error) : resolve(result!)))
    }).catch((error: Error) => {
      // The trace of who asked, not that of the socket.
      Error.captureStackTrace(error)
      throw error
    })
  }

  private ask({ query_timeout, ...statement }: Statement, values: unknown, done: Callback): void {
    const withinMs = query_timeout ?? this.answerWithinMs
    let timer: Timer | null = null
    let answered = false
    const answer: Callback = (error, result) => {
      if (answered) return
      answered = true
      timer?.cancel()
      done(error, result)
    }
    super.query(statement, values, answer)
    if (withinMs > 0) timer = systemClock.after(withinMs, () => answer(new Error('Query read timeout')))
  }
}
