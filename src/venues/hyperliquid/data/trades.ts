// The tape of one coin: what the venue still calls recent.
import { toProbability } from '#lib/price'
import type { Trade } from '#schemas/marketData'
import type { OutcomeRef, TradesQuery, VenueContext } from '../../venue.ts'
import { HyperTrade } from '../wire.ts'
import { isCoin } from './coin.ts'
import { getTrades } from './endpoints.ts'
import { amountOf, levelMicros } from './numbers.ts'
import { readRows } from './rows.ts'

/** Newest first. There is no range to ask for: it is cut out of what is recent. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId }: OutcomeRef,
  { startMs, endMs, limit }: TradesQuery,
): Promise<Trade[]> {
  if (!isCoin(outcomeId)) return []
  const rows = readRows(context, (await getTrades(context, outcomeId)) ?? [], HyperTrade, 'trade')
  const trades = rows.filter(({ coin }) => coin === outcomeId).map(normalizeTrade)
  const unread = trades.filter((trade) => trade === null).length
  if (unread > 0) context.log.warn({ venue: 'hyperliquid', what: 'trade', refused: unread }, 'trades were left out')
  return trades
    .filter((trade) => trade !== null)
    .filter(({ timestamp }) => timestamp >= (startMs ?? 0) && timestamp <= (endMs ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => b.timestamp - a.timestamp)
    .slice(0, limit)
}

/** Null when price or size is none. */
export function normalizeTrade({ coin, side, px, sz, time, tid }: HyperTrade): Trade | null {
  const micros = levelMicros(px)
  const amount = amountOf(sz)
  if (micros === null || amount === null) return null
  return {
    id: String(tid),
    timestamp: time,
    price: toProbability(micros),
    amount,
    side: side === 'B' ? 'buy' : side === 'A' ? 'sell' : 'unknown',
    outcomeId: coin,
  }
}
