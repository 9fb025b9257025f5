// Translates frames of our stream to the older API family's. Pure.
import type { TradeData } from '#schemas/topics'

interface OfMarket {
  venue: string
  marketId: string
}

interface Book {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
}

/** What our stream may send in response to the requests made here. */
export type InnerFrame =
  | ({ type: 'subscribed' | 'unsubscribed'; channel: string } & OfMarket)
  | ({ type: 'snapshot' | 'update'; data: Book } & OfMarket)
  | ({ type: 'trade'; data: TradeData } & OfMarket)
  | ({ type: 'error'; code: string; message: string; channel?: string } & Partial<OfMarket>)

/** `limit`: levels per side; null: all. */
export function bookOf({ data }: { data: Book }, limit: number | null): Book {
  return limit === null ? data : { ...data, bids: data.bids.slice(0, limit), asks: data.asks.slice(0, limit) }
}

/** As `fetchTrades` returns it. */
export const tradeOf = ({ marketId, data }: { marketId: string; data: TradeData }) => ({
  id: data.id,
  timestamp: data.timestamp,
  price: data.price,
  amount: data.shares,
  side: data.type.toLowerCase(),
  outcomeId: marketId,
})
