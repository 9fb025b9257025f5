// Candles are computed from the deduplicated trades of whole buckets when they are read. A materialized view per resolution could not
// deduplicate: a trade may reach the tape twice, under two ids or again from a read after a reconnect, and would count twice.
//
// Only whole buckets are returned: the first one starts at or after `since`, the last one starts at or before `until`. Days are UTC days. A
// bucket without a priced trade has no candle; a trade without a price counts towards volume only. A page of long buckets reads all trades in
// them: with a million trades in 31 days, 0.25 s for 30 daily candles on two busy cores. If an outcome ever trades more, hourly partial candles
// are the next step.
import { bucketWindow } from '#core/buckets'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import type { Recorded } from '../recordedOutcomeId.ts'
import type { ReplayPosition, ReplayQuery } from '../tape.ts'
import { fromSide, micros, notRevertedSql, outcomesParameters, outcomesWhere } from './predicates.ts'
import { pageNameParameters, pageNames, type ReplayColumns, type ReplayStatement } from './replayStatement.ts'

export const resolutionMs = {
  '1s': 1_000,
  '5s': 5_000,
  '10s': 10_000,
  '30s': 30_000,
  '1m': 60_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
} as const satisfies Record<NonNullable<ReplayQuery['resolution']>, number>

/**
 * Grouping by a function of the sorting key lets the engine finish one bucket after the other and read only the page's buckets.
 * With several ids it must group the whole window.
 */
export function candlesSql(outcomes: Recorded, direction: 'ASC' | 'DESC'): string {
  const keys = outcomes.outcomeIds.length === 1 ? 't.venue, t.outcome_id, bucket' : 'bucket'
  return `
SELECT bucket, arraySort(rows) AS received,
  -- Each row beside the one before it; naming \`received\` inside the lambda would copy the whole array per row.
  arrayFilter((row, before) -> (row.1, row.2) != (before.1, before.2),
    received, arrayPushFront(arrayPopBack(received), (0, '', 0, 0, 0))) AS traded,
  arrayMap(row -> ${fromSide(outcomes.mirrored, 'row.4')}, arrayFilter(row -> row.4 != ${noPrice}, traded)) AS prices,
  ${micros('arraySum(arrayMap(row -> row.5, traded))')} AS volume
FROM (
  SELECT intDiv(t.ts, {step:UInt64}) AS bucket, groupArray((t.ts, t.trade_id, t.recv_delay, t.price, t.size)) AS rows
  FROM trades AS t
  WHERE ${outcomesWhere(outcomes)} AND t.ts >= {from:UInt64} AND t.ts < {before:UInt64} AND ${notRevertedSql(outcomesWhere(outcomes))}
  GROUP BY ${keys}
  HAVING min(t.price) < ${noPrice}
  ORDER BY ${keys.replaceAll(',', ` ${direction},`)} ${direction}
  LIMIT {limit:UInt32}
)
SETTINGS max_threads = 1, optimize_aggregation_in_order = 1`
}

export function replayCandles(query: ReplayQuery, taped: Recorded): ReplayStatement {
  const { sql, parameters } = rowsOf(query, taped, "'candles' AS k, ")
  return { sql: `${sql}\nFORMAT JSONEachRow`, parameters, positionOf: ({ ts }) => ({ ts: Number(ts), tie: '' }) }
}

/** The same page without the columns common to all rows. */
export function candlesBlocks(query: ReplayQuery, taped: Recorded): ReplayColumns {
  return candlesOf(query, taped, 'bucket * {step:UInt64} AS ts')
}

export function candlesColumns(query: ReplayQuery, taped: Recorded, last: ReplayPosition): ReplayColumns {
  const head = `toInt64(bucket * {step:UInt64}) AS ts, ${pageNames}, {resolution:String} AS resolution`
  const { sql, parameters } = candlesOf({ ...query, untilMs: last.ts }, taped, head)
  return { sql, parameters: { ...parameters, ...pageNameParameters(query) } }
}

const rowsOf = (query: ReplayQuery, taped: Recorded, head: string): ReplayColumns =>
  candlesOf(
    query,
    taped,
    `${head}toInt64(bucket * {step:UInt64}) AS ts, {venue:String} AS venue, {resolution:String} AS resolution`,
  )

function candlesOf(query: ReplayQuery, taped: Recorded, head: string): ReplayColumns {
  if (query.resolution === undefined) throw new Error('candles need a resolution')
  const step = resolutionMs[query.resolution]
  const { fromMs, beforeMs } = bucketWindow(query.sinceMs, query.untilMs, step)
  return {
    sql: `
SELECT ${head},
  ${micros('prices[1]')} AS open, ${micros('arrayMax(prices)')} AS high, ${micros('arrayMin(prices)')} AS low,
  ${micros('prices[-1]')} AS close, volume, length(traded) AS trades
FROM (${candlesSql(taped, 'ASC')})
ORDER BY ts`,
    parameters: {
      ...outcomesParameters(taped),
      step,
      resolution: query.resolution,
      from: query.after === null ? fromMs : Math.max(fromMs, query.after.ts + step),
      before: beforeMs,
      limit: query.limit + 1,
    },
  }
}
