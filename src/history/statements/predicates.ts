// The filter all statements share: which outcomes. One id is written as an equality, because only then the engine reads
// in key order and stops at the limit instead of sorting the whole window.
import { ONE } from '#core/price'
import type { SqlParameters } from '#storage/clickhouse/client'
import type { Recorded } from '../recordedOutcomeId.ts'

export const outcomesWhere = ({ outcomeIds }: Recorded): string =>
  outcomeIds.length === 1
    ? 't.venue = {venue:String} AND t.outcome_id = {outcomeId:String}'
    : 't.venue = {venue:String} AND t.outcome_id IN {outcomeIds:Array(String)}'

/**
 * Of a row `t` of trades: its chain has not reverted it. `outcomes`: the statement's own condition on outcomes. The map is usually empty,
 * and the engine builds it once per statement.
 */
export const notRevertedSql = (outcomes: string): string =>
  `t.ts + t.recv_delay > (SELECT mapFromArrays(groupArray(id), groupArray(withdrawn)) FROM (
    SELECT t.trade_id AS id, toInt64(max(t.at)) AS withdrawn FROM withdrawn_trades AS t WHERE ${outcomes} GROUP BY t.trade_id))[t.trade_id]`

export const outcomesParameters = ({ venue, outcomeIds }: Recorded): SqlParameters =>
  outcomeIds.length === 1 ? { venue, outcomeId: outcomeIds[0] as string } : { venue, outcomeIds }

/** Prices on the tape are micros, sizes millionths. */
export const micros = (expression: string): string => `(${expression}) / 1000000`

/** A price in micros as the requested side sees it. */
export const fromSide = (mirrored: boolean, price: string): string => (mirrored ? `${ONE} - (${price})` : price)

/** Buying one side is selling the other. */
export const sideView = (mirrored: boolean): string =>
  mirrored ? "multiIf(t.side = 'buy', 'sell', t.side = 'sell', 'buy', 'unknown')" : 'toString(t.side)'
