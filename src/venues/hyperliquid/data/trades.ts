// The tape of one coin: what the venue still calls recent.
import type { Trade } from '#schemas/marketData'
import { amountOf, probabilityOf, quoteOf } from '../../shared/data/parsers.ts'
import { readTape } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import type { OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { HyperTrade } from '../wire.ts'
import { isCoin } from './coin.ts'
import { getTrades } from './endpoints.ts'

/** Newest first. The venue takes no range: it is cut out of the recent trades. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  if (!isCoin(outcomeId)) return []
  const read = (row: unknown): Trade | null => {
    const { data } = HyperTrade.safeParse(row)
    return data === undefined ? null : normalizeTrade(data)
  }
  return readTape(context, await getTrades(context, outcomeId), { what: 'trade', name: 'tid', read })
    .filter((trade) => trade.outcomeId === outcomeId && isInRange(trade, query))
    .sort((a, b) => b.timestamp - a.timestamp)
    .slice(0, query.limit)
}

/** Null when price or size is invalid. */
export function normalizeTrade({ coin, side, px, sz, time, tid }: HyperTrade): Trade | null {
  const micros = quoteOf(px)
  const amount = amountOf(sz)
  if (micros === null || amount === null) return null
  return {
    id: String(tid),
    timestamp: time,
    price: probabilityOf(micros),
    amount,
    side: side === 'B' ? 'buy' : side === 'A' ? 'sell' : 'unknown',
    outcomeId: coin,
  }
}
