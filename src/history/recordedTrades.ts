// Trades of a whole venue on the tape.
import { findExpired } from '#storage/clickhouse/retention'
import { countTapedTradesSql, findTapedSinceSql } from './statements/tapedTrades.ts'
import type { TapeReads } from './tapeReads.ts'

type Reads = Pick<TapeReads, 'rows'>

/** The first moment not before `afterMs` at which anything of the venue is taped, epoch ms; null if there is none. */
export async function findTapedSince(
  store: Reads,
  venue: string,
  afterMs: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const [row] = await store.rows<{ since: string }>(findTapedSinceSql, { venue, after: afterMs }, signal)
  // The minimum of no rows is 0.
  return Number(row?.since ?? 0) || null
}

/**
 * Null: nothing of the venue is on the tape in that span, or its trades may have expired, so the count is unknown. A day with an hour of downtime
 * counts only the other hours: it is what was taped, not everything that traded.
 */
export async function countTapedTrades(
  store: Reads,
  venue: string,
  { fromMs, beforeMs }: { fromMs: number; beforeMs: number },
  signal?: AbortSignal,
): Promise<number | null> {
  const parameters = { venue, from: fromMs, before: beforeMs }
  const [row] = await store.rows<{ trades: string; anything: number }>(countTapedTradesSql, parameters, signal)
  // Queried after the count, so that anything that expired meanwhile is known by then.
  const expired = await findExpired(store)
  if (fromMs < (expired.get('trades') ?? 0)) return null
  const trades = Number(row?.trades ?? 0)
  return trades > 0 || row?.anything === 1 ? trades : null
}
