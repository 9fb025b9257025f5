// Frames of the stream's `feedTicker` channel. Their ticker part is encoded once, regardless of how many sockets receive it.
import type { FeedTicker, FeedTickerData } from '#schemas/feeds'

const encoded = new WeakMap<FeedTicker, string>()

/** `feed` and `symbol` as the subscriber wrote them; `ts`: epoch ms when the frame was written. */
export function feedTickerFrame(
  { feed, symbol }: { feed: string; symbol: string },
  ticker: FeedTicker,
  ts: number,
): Buffer {
  const data = encoded.get(ticker) ?? JSON.stringify(dataOf(ticker))
  encoded.set(ticker, data)
  const head = JSON.stringify({ type: 'feedTicker', feed, symbol, ts })
  return Buffer.from(`${head.slice(0, -1)},"data":${data}}`)
}

/** Without a proven price only its identity, time and source. */
function dataOf({ symbol, asOf, provenance, last, baseVolume, timestamp, datetime, info }: FeedTicker): FeedTickerData {
  const always = { symbol, asOf, provenance }
  if (last === null || timestamp === null || datetime === null) return always
  return {
    ...always,
    price: last,
    ...(baseVolume !== null && { volume: baseVolume }),
    timestamp,
    datetime,
    sourceMetadata: info,
  }
}
