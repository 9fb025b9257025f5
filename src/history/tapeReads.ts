// Reads of the tape as callers wait for them: whatever keeps ClickHouse from answering, a hung server included, is a retryable refusal within
// seconds. A stream that has begun is not hurried.
import { type Clock, systemClock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { SqlParameters, TapeStore } from '#storage/clickhouse/client'

/** Of the five seconds that a caller of history waits at most. */
export const answersWithinMs = 4_000

export type TapeReads = Pick<TapeStore, 'stream' | 'rows'>

export function hurried(store: TapeReads, clock: Clock = systemClock): TapeReads {
  /** Ends the statement together with its caller, so that nothing piles up behind a server that hangs. */
  async function within<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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
    const answer = ask(both)
    // Once given up, its failure has no receiver.
    answer.catch(() => undefined)
    try {
      return await Promise.race([answer, deadline])
    } catch (cause) {
      // Whatever ClickHouse says, the caller may only hear: not now. The reason is for the log.
      throw new Fault('HISTORY_UNAVAILABLE', 'history is not available right now: try again', { cause })
    } finally {
      timer.cancel()
    }
  }

  return {
    stream: (sql, parameters, signal) => within((both) => store.stream(sql, parameters, both), signal),
    rows: <T>(sql: string, parameters?: SqlParameters, signal?: AbortSignal) =>
      within((both) => store.rows<T>(sql, parameters, both), signal),
  }
}
