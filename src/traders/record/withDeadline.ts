// Reads with a deadline: if the store does not answer, the caller gets a retryable error within seconds and the statement is cancelled.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { SqlParameters, TapeStore } from '#storage/clickhouse/client'

/** Of the five seconds that a caller waits at most. */
export const answersWithinMs = 4_000

export type Read = <T>(sql: string, parameters?: SqlParameters) => Promise<T[]>

export const hurried =
  (store: Pick<TapeStore, 'rows'>, clock: Clock): Read =>
  async <T>(sql: string, parameters?: SqlParameters): Promise<T[]> => {
    const late = new AbortController()
    const timer = clock.after(answersWithinMs, () => late.abort())
    const deadline = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(new Error(`no answer within ${answersWithinMs} ms`)))
    })
    const answer = store.rows<T>(sql, parameters, late.signal)
    // After the deadline its failure is ignored.
    answer.catch(() => undefined)
    try {
      return await Promise.race([answer, deadline])
    } catch (cause) {
      throw new Fault(
        'HISTORY_UNAVAILABLE',
        'ClickHouse is not available right now, so the record of traders cannot be read: try again shortly',
        { cause },
      )
    } finally {
      timer.cancel()
    }
  }
