// Number of a venue's trades on the tape in a time span. Duplicates count once; trades reverted by their chain do not count.
import { notRevertedSql } from './predicates.ts'

const within = (time: string): string =>
  `t.venue = {venue:String} AND t.${time} >= {from:UInt64} AND t.${time} < {before:UInt64}`
const some = (table: string, time: string): string =>
  `(SELECT count() FROM (SELECT 1 FROM ${table} AS t WHERE ${within(time)} LIMIT 1))`

export const findTapedSinceSql = `
SELECT toString(min(t.at)) AS since FROM coverage AS t WHERE t.venue = {venue:String} AND t.at >= {after:UInt64}
FORMAT JSONEachRow`

/** Grouped in table order: a day of millions of trades is counted as it is read. */
export const countTapedTradesSql = `
SELECT
  toString((SELECT count() FROM (
    SELECT 1 FROM trades AS t WHERE ${within('ts')} AND ${notRevertedSql('t.venue = {venue:String}')}
    GROUP BY t.venue, t.outcome_id, t.ts, t.trade_id
  ))) AS trades,
  toUInt8(${some('top_of_book', 'ts')} + ${some('coverage', 'at')} > 0) AS anything
SETTINGS optimize_aggregation_in_order = 1
FORMAT JSONEachRow`
