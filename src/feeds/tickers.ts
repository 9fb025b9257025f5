// A ticker without figures: what is said of a symbol when nothing proves its price. Feeds write over it what they know.
import type { FeedSource, FeedTicker } from '#schemas/feeds'

const nothing = {
  ...{ timestamp: null, datetime: null },
  ...{ high: null, low: null, open: null, close: null, last: null, previousClose: null },
  ...{ bid: null, bidVolume: null, ask: null, askVolume: null },
  ...{ vwap: null, change: null, percentage: null, average: null, baseVolume: null, quoteVolume: null },
  ...{ indexPrice: null, markPrice: null },
} as const

/** Clocks differ by so much. What is dated later is of the future: it proves nothing, and stands against nothing that comes after it. */
export const aheadMsMax = 2_000

/** `asOfMs`: epoch ms. */
export const emptyTicker = (
  symbol: string,
  source: FeedSource,
  asOfMs: number,
  info: Readonly<Record<string, unknown>>,
): FeedTicker => ({
  symbol,
  ...nothing,
  info,
  asOf: new Date(asOfMs).toISOString(),
  provenance: { source },
})

/** The same without its price: it has not been confirmed for too long. */
export const noLongerProven = ({ symbol, asOf, provenance }: FeedTicker): FeedTicker =>
  emptyTicker(symbol, provenance.source, Date.parse(asOf), { unproven: 'silent' })
