// Binance's 24-hour windows in its own format, on the stream and over REST, as its public documentation shows them.
import type { PriceDay } from './prices.ts'

const dayMs = 86_400_000
const text = (value: number): string => value.toFixed(8)

function figures(day: PriceDay) {
  const { open, last } = day
  const spread = last * 0.000_01
  return {
    change: text(last - open),
    percent: (((last - open) / open) * 100).toFixed(3),
    average: text((day.high + day.low) / 2),
    quoteVolume: text((day.volume * (day.high + day.low)) / 2),
    bid: text(last - spread),
    ask: text(last + spread),
  }
}

/** `id`: BTCUSDT. Both times epoch ms. */
export function streamWindow(id: string, day: PriceDay, nowMs: number): object {
  const { change, percent, average, quoteVolume, bid, ask } = figures(day)
  return {
    ...{ e: '24hrTicker', E: nowMs, s: id, p: change, P: percent, w: average },
    ...{ x: text(day.open), c: text(day.last), Q: '0.01000000' },
    ...{ b: bid, B: '1.20000000', a: ask, A: '0.80000000' },
    ...{ o: text(day.open), h: text(day.high), l: text(day.low), v: text(day.volume), q: quoteVolume },
    ...{ O: nowMs - dayMs, C: nowMs, F: 1, L: day.count, n: day.count },
  }
}

export function restWindow(id: string, day: PriceDay, nowMs: number): object {
  const { change, percent, average, quoteVolume, bid, ask } = figures(day)
  return {
    ...{ symbol: id, priceChange: change, priceChangePercent: percent, weightedAvgPrice: average },
    ...{ prevClosePrice: text(day.open), lastPrice: text(day.last), lastQty: '0.01000000' },
    ...{ bidPrice: bid, bidQty: '1.20000000', askPrice: ask, askQty: '0.80000000' },
    ...{ openPrice: text(day.open), highPrice: text(day.high), lowPrice: text(day.low) },
    ...{ volume: text(day.volume), quoteVolume, openTime: nowMs - dayMs, closeTime: nowMs },
    ...{ firstId: 1, lastId: day.count, count: day.count },
  }
}
