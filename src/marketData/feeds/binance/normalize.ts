// Converts Binance's daily windows to tickers.
import { type Clock, lowerBoundNow, upperBoundNow } from '#core/clock'
import type { FeedSource, FeedTicker } from '#schemas/feeds'
import { aheadMsMax, emptyTicker } from '../tickers.ts'
import type { RestTicker, StreamTicker } from './wire.ts'

/** A window that ended longer ago does not prove a current price. */
const oldMsMax = 60_000

/** Zero is not a price: there is no offer, or nothing was ever traded. */
const priceOf = (text: string): number | null => (Number(text) > 0 ? Number(text) : null)

const amountOf = (text: string): number | null => (Number(text) >= 0 ? Number(text) : null)

interface Window {
  /** Epoch ms. */
  at: number
  source: FeedSource
  info: Readonly<Record<string, unknown>>
  last: string
  previous: string
  prices: { open: string; high: string; low: string; vwap: string; bid: string; ask: string }
  amounts: { bidVolume: string; askVolume: string; baseVolume: string; quoteVolume: string }
  moves: { change: string; percentage: string }
}

const mapped = <K extends string, T>(texts: Readonly<Record<K, string>>, read: (text: string) => T): Record<K, T> =>
  Object.fromEntries(Object.entries<string>(texts).map(([name, text]) => [name, read(text)])) as Record<K, T>

function whyOld(at: number, clock: Pick<Clock, 'now' | 'steady'>): string | null {
  if (lowerBoundNow(clock) - at > oldMsMax) return 'stale'
  return at - upperBoundNow(clock) > aheadMsMax ? 'dated ahead' : null
}

/** An ask below a bid is impossible: such a window mixes several moments. */
function isCrossed({ bid, ask }: { bid: string; ask: string }): boolean {
  const [paid, wanted] = [priceOf(bid), priceOf(ask)]
  return paid !== null && wanted !== null && paid > wanted
}

function tickerOf(symbol: string, window: Window, clock: Pick<Clock, 'now' | 'steady'>): FeedTicker {
  const { at, source, info, last, previous, prices, amounts, moves } = window
  const price = priceOf(last)
  const why = price === null ? 'never traded' : (whyOld(at, clock) ?? (isCrossed(prices) ? 'crossed' : null))
  // A date in the future is not used.
  const asOfMs = why === 'dated ahead' ? clock.now() : at
  if (why !== null) return emptyTicker(symbol, source, asOfMs, { ...info, unproven: why })
  return {
    ...emptyTicker(symbol, source, at, info),
    timestamp: at,
    datetime: new Date(at).toISOString(),
    last: price,
    close: price,
    previousClose: priceOf(previous),
    ...mapped(prices, priceOf),
    ...mapped(amounts, amountOf),
    ...mapped(moves, Number),
  }
}

export const tickerOfStream = (symbol: string, raw: StreamTicker, clock: Pick<Clock, 'now' | 'steady'>): FeedTicker =>
  tickerOf(
    symbol,
    {
      at: raw.E,
      source: 'binance-ws',
      info: raw,
      last: raw.c,
      previous: raw.x,
      prices: { open: raw.o, high: raw.h, low: raw.l, vwap: raw.w, bid: raw.b, ask: raw.a },
      amounts: { bidVolume: raw.B, askVolume: raw.A, baseVolume: raw.v, quoteVolume: raw.q },
      moves: { change: raw.p, percentage: raw.P },
    },
    clock,
  )

export const tickerOfRest = (symbol: string, raw: RestTicker, clock: Pick<Clock, 'now' | 'steady'>): FeedTicker =>
  tickerOf(
    symbol,
    {
      at: raw.closeTime,
      source: 'binance-rest',
      info: raw,
      last: raw.lastPrice,
      previous: raw.prevClosePrice,
      prices: {
        ...{ open: raw.openPrice, high: raw.highPrice, low: raw.lowPrice },
        ...{ vwap: raw.weightedAvgPrice, bid: raw.bidPrice, ask: raw.askPrice },
      },
      amounts: {
        ...{ bidVolume: raw.bidQty, askVolume: raw.askQty },
        ...{ baseVolume: raw.volume, quoteVolume: raw.quoteVolume },
      },
      moves: { change: raw.priceChange, percentage: raw.priceChangePercent },
    },
    clock,
  )
