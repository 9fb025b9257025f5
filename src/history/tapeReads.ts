// Tape reads with a deadline: if ClickHouse does not answer, for example because the server hangs, the caller gets a retryable error within
// seconds. A stream that has started is not limited, but its failures are that error too.
import { type Clock, systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import type { SqlParameters, TapeStore } from '#storage/clickhouse/client'

/** Of the five seconds that a caller of history waits at most. */
export const answersWithinMs = 4_000

export type TapeReads = Pick<TapeStore, 'stream' | 'rows'>

/** The caller only learns that history is unavailable; the reason is logged. */
export const tapeUnavailable = (cause: unknown): Fault =>
  new Fault('HISTORY_UNAVAILABLE', 'ClickHouse is not available right now: try again shortly', { cause })

export function withDeadline(store: TapeReads, clock: Clock = systemClock): TapeReads {
  /** Cancels the statement when its caller gives up, so that nothing piles up behind a hung server. */
  async function within<T>(read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const late = new AbortController()
    const both = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    let give: (cause: unknown) => void
    const deadline = new Promise<never>((_, reject) => {
      give = reject
    })
    const timer = clock.after(answersWithinMs, () => {
      give(new Error(`no answer within ${answersWithinMs} ms`))
      late.abort()
    })
    const answer = read(both)
    // Once abandoned, its failure has no handler.
    answer.catch(() => undefined)
    try {
      return await Promise.race([answer, deadline])
    } catch (cause) {
      throw tapeUnavailable(cause)
    } finally {
      timer.cancel()
    }
  }

  return {
    stream: async (sql, parameters, signal) =>
      unbroken(await within((both) => store.stream(sql, parameters, both), signal)),
    rows: <T>(sql: string, parameters?: SqlParameters, signal?: AbortSignal) =>
      within((both) => store.rows<T>(sql, parameters, both), signal),
  }
}

/** A server that goes down in the middle of an answer cuts it. */
async function* unbroken(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (cause) {
    throw tapeUnavailable(cause)
  }
}

/** A printed row. A server that fails midway writes its error where a row should be. */
export function rowIn(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch (cause) {
    throw tapeUnavailable(cause)
  }
}
