// Trades of a whole venue on the tape.
import { findExpired } from '#storage/clickhouse/retention'
import { countTapedTradesSql, findTapedSinceSql } from './statements/tapedTrades.ts'
import type { TapeReads } from './tapeReads.ts'

type Reads = Pick<TapeReads, 'rows'>

/** The first moment not before `afterMs` of which anything of the venue is taped, epoch ms; null: there is none. */
export async function findTapedSince(
  store: Reads,
  venue: string,
  afterMs: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const [row] = await store.rows<{ since: string }>(findTapedSinceSql, { venue, after: afterMs }, signal)
  // Of no rows the least is 0.
  return Number(row?.since ?? 0) || null
}

/**
 * Null: nothing at all of the venue is on the tape of that span, or its trades may have been let go, so that nobody knows. A day with an hour without us has the trades of the others:
 * it is what is taped, not all there were.
 */
export async function countTapedTrades(
  store: Reads,
  venue: string,
  { fromMs, beforeMs }: { fromMs: number; beforeMs: number },
  signal?: AbortSignal,
): Promise<number | null> {
  const parameters = { venue, from: fromMs, before: beforeMs }
  const [row] = await store.rows<{ trades: string; anything: number }>(countTapedTradesSql, parameters, signal)
  // Asked behind the count: what went meanwhile is gone by then.
  const expired = await findExpired(store)
  if (fromMs < (expired.get('trades') ?? 0)) return null
  const trades = Number(row?.trades ?? 0)
  return trades > 0 || row?.anything === 1 ? trades : null
}
