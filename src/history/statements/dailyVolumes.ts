// Volume of one day of trades, per outcome of a venue whose tape has no gap in that day. A gap is any coverage event other than one that
// says coverage continues; that includes `opened`, which means it was not covered before.
import { recordsTrades } from '#schemas/topics'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import { feedsTrades } from './feedTrades.ts'
import { notRevertedSql } from './predicates.ts'

export interface DailyVolumeLine {
  outcomeId: string
  /** Amount takers paid, in dollars where contracts pay one; 0 without trades. */
  paid: number
  /** Trades of unknown cost. */
  unpriced: number
}

const recordsTradesSql = (row: string): string =>
  `(${feedsTrades(`${row}.mechanism`)} OR ${row}.reason = '${recordsTrades}')`

/** Up to when an outcome's trades were read. */
const endsSql = `
  SELECT c.outcome_id AS outcome_id,
    if(${feedsTrades("argMaxIf(c.mechanism, c.at, c.mechanism != '')")} AND argMax(toInt8(c.kind), tuple(c.at, toInt8(c.kind))) IN (1, 3),
      {now:UInt64}, maxIf(c.at, ${recordsTradesSql('c')})) AS until
  FROM coverage AS c
  WHERE c.venue = {venue:String} AND c.at > {oldest:UInt64} AND c.at <= {now:UInt64}
  GROUP BY c.outcome_id
  HAVING until > {readAfter:UInt64}`

/** The day before that end, if it was covered from the start without a gap. */
const completeSql = `
  SELECT c.outcome_id AS outcome_id, any(e.until) AS until
  FROM coverage AS c JOIN (${endsSql}) AS e ON e.outcome_id = c.outcome_id
  WHERE c.venue = {venue:String} AND c.at > {oldest:UInt64} AND c.at <= {now:UInt64}
  GROUP BY c.outcome_id
  HAVING countIf(c.at > e.until - {day:UInt64} AND toInt8(c.kind) != 3) = 0
    AND argMaxIf(toInt8(c.kind), tuple(c.at, toInt8(c.kind)), c.at <= e.until - {day:UInt64}) IN (1, 3)
    AND countIf(c.at <= e.until - {day:UInt64} AND ${recordsTradesSql('c')}) > 0`

/** Of a trade `t` and the window `w` of its outcome. */
const within = 't.ts > w.until - {day:UInt64} AND t.ts <= w.until'
const isPriced = `t.price != ${noPrice} AND t.side != 'unknown'`

/** Selling one side of a book is buying the other. */
export const findDailyVolumesSql = `
SELECT w.outcome_id AS outcomeId,
  sumIf(if(t.side = 'buy', t.price, 1000000 - t.price) * t.size, ${within} AND ${isPriced}) / 1e12 AS paid,
  countIf(${within} AND NOT (${isPriced})) AS unpriced
FROM (${completeSql}) AS w
LEFT JOIN (
  SELECT t.outcome_id AS outcome_id, t.ts AS ts, toInt64(t.price) AS price, toInt64(t.size) AS size, t.side AS side
  FROM trades AS t
  WHERE t.venue = {venue:String} AND t.ts > {readAfter:UInt64} - {day:UInt64} AND t.ts <= {now:UInt64}
    AND ${notRevertedSql('t.venue = {venue:String}')}
  LIMIT 1 BY t.outcome_id, t.ts, t.trade_id
) AS t ON t.outcome_id = w.outcome_id
GROUP BY w.outcome_id
FORMAT JSONEachRow`
