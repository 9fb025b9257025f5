// Pascal's objects: markets, books, trades. Decimals are text with six places, sizes whole contracts, times epoch milliseconds.
import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import type { PascalMarket } from './marketGenerator.ts'

export const decimal = (micros: number): string => (micros / 1_000_000).toFixed(6)
/** The last day's part of the volume; chosen by the lab. */
const dailyShare = 12

export function marketRow({ symbol, catalog, event }: PascalMarket, live: EngineMarket) {
  const traded = live.volumeHundredths / 100
  return {
    symbol,
    mark_price: decimal(live.midMicros()),
    open_interest: String(Math.floor(traded / 3)),
    tick_size_min: decimal(live.book.grid.stepMicros),
    taker_fee_rate: '0.010000',
    resolution: live.result === null ? null : decimal(live.result === 'yes' ? 1_000_000 : 0),
    display_attributes: {
      event_description: event.catalog.title,
      market_description: event.markets.length === 1 ? catalog.question : catalog.label,
      expected_resolution_time_ms: event.catalog.endMs,
      tags: event.catalog.tags,
    },
    stats: {
      last_24h: {
        taker_buy_volume: (traded / dailyShare / 2).toFixed(6),
        taker_sell_volume: (traded / dailyShare / 2).toFixed(6),
      },
      all_time: { taker_volume_usdc: traded.toFixed(6) },
    },
  }
}

const levels = (side: MarketTruth['bids']) => side.map(([price, size]) => [decimal(price), String(size)])
export const bookRow = ({ bids, asks }: MarketTruth) => ({ bids: levels(bids), asks: levels(asks) })

/** The event behind a trade has a venue-wide number; trades of one moment share it. */
export const tradeRow = ({ symbol }: PascalMarket, trade: LabTrade) => ({
  seq: String(trade.atMs),
  trade_ts_ms: trade.atMs,
  symbol,
  price: decimal(trade.priceMicros),
  size: String(trade.size),
})
