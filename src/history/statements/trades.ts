// The newest trades of one outcome in a window, newest first.
import type { Trade } from '#schemas/marketData'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import { fromSide, micros, notRevertedSql, sideView } from './predicates.ts'

export interface TradeLine {
  id: string
  ts: number
  price: number | null
  amount: number
  side: Trade['side']
}

export const findTradesSql = (mirrored: boolean) => `
SELECT t.trade_id AS id, t.ts AS ts, if(t.price = ${noPrice}, NULL, ${micros(fromSide(mirrored, 't.price'))}) AS price,
  ${micros('t.size')} AS amount, ${sideView(mirrored)} AS side
FROM trades AS t
WHERE t.venue = {venue:String} AND t.outcome_id = {outcomeId:String} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}
  AND ${notRevertedSql('t.venue = {venue:String} AND t.outcome_id = {outcomeId:String}')}
ORDER BY t.ts DESC, t.trade_id DESC, t.recv_delay DESC
LIMIT 1 BY t.ts, t.trade_id
LIMIT {limit:UInt32}
SETTINGS max_threads = 1
FORMAT JSONEachRow`

export const tradeOf =
  (outcomeId: string) =>
  ({ id, ts, price, amount, side }: TradeLine): Trade => ({ id, timestamp: ts, price, amount, side, outcomeId })
