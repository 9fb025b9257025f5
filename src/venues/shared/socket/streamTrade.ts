// A trade from a socket, in the tape's format.
import { microsOf, usdOf } from '#core/price'
import type { Trade } from '#schemas/marketData'
import type { VenueSlug } from '#schemas/venues'
import type { FeedSink } from '../../venue.ts'

/** Publishes `trade`, in the book's prices, also as the book's newest. */
export function emitTrade(feed: FeedSink, venue: VenueSlug, bookId: string, trade: Trade, recvTs: number): void {
  const micros = trade.price === null ? null : microsOf(trade.price)
  if (micros !== null) feed.lastTrade(bookId, micros, trade.timestamp)
  feed.trade({
    venue,
    marketId: bookId,
    outcomeId: bookId,
    recvTs,
    data: {
      id: trade.id,
      time: new Date(trade.timestamp).toISOString(),
      timestamp: trade.timestamp,
      type: trade.side === 'buy' ? 'Buy' : trade.side === 'sell' ? 'Sell' : 'Unknown',
      usd: micros === null ? null : usdOf(micros, trade.amount),
      outcome: null,
      outcomeIndex: null,
      shares: trade.amount,
      price: trade.price,
      maker: null,
      transactionHash: null,
      wallet: null,
      counterparty: null,
    },
  })
}
