// Tape reads with a deadline: whatever keeps ClickHouse from answering, including a hung server, becomes a retryable error within seconds. A
// stream that has started is not limited.
import { type Clock, systemClock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { SqlParameters, TapeStore } from '#storage/clickhouse/client'

/** Of the five seconds that a caller of history waits at most. */
export const answersWithinMs = 4_000

export type TapeReads = Pick<TapeStore, 'stream' | 'rows'>

export function hurried(store: TapeReads, clock: Clock = systemClock): TapeReads {
  /** Cancels the statement when its caller gives up, so that nothing piles up behind a hung server. */
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
    // Once abandoned, its failure has no handler.
    answer.catch(() => undefined)
    try {
      return await Promise.race([answer, deadline])
    } catch (cause) {
      // The caller only learns that history is unavailable; the reason is logged.
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
