// Binance's daily windows, on the stream and over REST. https://github.com/binance/binance-spot-api-docs (web-socket-streams.md,
// rest-api.md), as of 2026-07-21.
import { z } from 'zod'

const Decimal = z.string().regex(/^-?\d{1,20}(\.\d{1,20})?$/)
const Millis = z.number().int().nonnegative().max(8_640_000_000_000_000)

/** `<symbol>@ticker`, once a second. */
export const StreamTicker = z.object({
  e: z.literal('24hrTicker'),
  /** Event time. */
  E: Millis,
  s: z.string(),
  /** Change, in the quote and in percent. */
  p: Decimal,
  P: Decimal,
  /** Average weighted by volume. */
  w: Decimal,
  /** The trade before the window. */
  x: Decimal,
  c: Decimal,
  b: Decimal,
  B: Decimal,
  a: Decimal,
  A: Decimal,
  o: Decimal,
  h: Decimal,
  l: Decimal,
  /** Volumes, in base and in quote. */
  v: Decimal,
  q: Decimal,
})
export type StreamTicker = z.infer<typeof StreamTicker>

/** `GET /api/v3/ticker/24hr`, type FULL. */
export const RestTicker = z.object({
  symbol: z.string(),
  priceChange: Decimal,
  priceChangePercent: Decimal,
  weightedAvgPrice: Decimal,
  prevClosePrice: Decimal,
  lastPrice: Decimal,
  bidPrice: Decimal,
  bidQty: Decimal,
  askPrice: Decimal,
  askQty: Decimal,
  openPrice: Decimal,
  highPrice: Decimal,
  lowPrice: Decimal,
  volume: Decimal,
  quoteVolume: Decimal,
  closeTime: Millis,
})
export type RestTicker = z.infer<typeof RestTicker>

export const RestError = z.object({ code: z.number().int(), msg: z.string() })
/** For an unlisted symbol. */
export const badSymbol = -1121
