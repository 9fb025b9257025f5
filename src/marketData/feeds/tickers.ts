// A ticker without figures, for a symbol without a proven price. Feeds overwrite it with what they know.
import type { FeedSource, FeedTicker } from '#schemas/feeds'

const nothing = {
  ...{ timestamp: null, datetime: null },
  ...{ high: null, low: null, open: null, close: null, last: null, previousClose: null },
  ...{ bid: null, bidVolume: null, ask: null, askVolume: null },
  ...{ vwap: null, change: null, percentage: null, average: null, baseVolume: null, quoteVolume: null },
  ...{ indexPrice: null, markPrice: null },
} as const

/** Maximum clock skew. Anything dated later is from the future: it proves nothing, and does not block later data. */
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
export const expired = ({ symbol, asOf, provenance }: FeedTicker): FeedTicker =>
  emptyTicker(symbol, provenance.source, Date.parse(asOf), { unproven: 'silent' })
