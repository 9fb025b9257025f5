// The newest trades of one outcome in a window, newest first, and the sums of all of them.
import { fromUnits } from '#core/decimal'
import type { Trade } from '#schemas/marketData'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import type { TradeSums } from '../tape.ts'
import { fromSide, micros, notRevertedSql, sideView } from './predicates.ts'

export interface TradeLine {
  id: string
  ts: number
  price: number | null
  amount: number
  side: Trade['side']
}

const newest = `FROM trades AS t
WHERE t.venue = {venue:String} AND t.outcome_id = {outcomeId:String} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}
  AND ${notRevertedSql('t.venue = {venue:String} AND t.outcome_id = {outcomeId:String}')}
ORDER BY t.ts DESC, t.trade_id DESC, t.recv_delay DESC
LIMIT 1 BY t.ts, t.trade_id
LIMIT {limit:UInt32}`

export const findTradesSql = (mirrored: boolean) => `
SELECT t.trade_id AS id, t.ts AS ts, if(t.price = ${noPrice}, NULL, ${micros(fromSide(mirrored, 't.price'))}) AS price,
  ${micros('t.size')} AS amount, ${sideView(mirrored)} AS side
${newest}
SETTINGS max_threads = 1
FORMAT JSONEachRow`

export const tradeOf =
  (outcomeId: string) =>
  ({ id, ts, price, amount, side }: TradeLine): Trade => ({ id, timestamp: ts, price, amount, side, outcomeId })

export interface TradeSumsLine {
  trades: number
  unpriced: number
  /** Millionths of contracts. */
  volume: string
  /** Micros of dollars times a million. */
  cash: string
}

/** Exact, in whole numbers. */
export const sumTradesSql = (mirrored: boolean) => `
SELECT toUInt32(count()) AS trades, toUInt32(countIf(x.price = ${noPrice})) AS unpriced, toString(sum(toInt128(x.size))) AS volume,
  toString(sum(toInt128(${fromSide(mirrored, 'x.price')}) * toInt128(x.size))) AS cash
FROM (SELECT t.price AS price, t.size AS size ${newest}) AS x
SETTINGS max_threads = 1
FORMAT JSONEachRow`

export const tradeSumsOf = ({ trades, unpriced, volume, cash }: TradeSumsLine): TradeSums => ({
  trades,
  volume: fromUnits(BigInt(volume), 6),
  cash: unpriced > 0 ? null : fromUnits(BigInt(cash), 12),
})
