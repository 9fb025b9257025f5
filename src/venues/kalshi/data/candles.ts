// Kalshi's candlesticks mapped to ours. The venue has 1 minute, 1 hour and 1 day; other lengths are built from the next finer one, and days
// from hours: the venue's own begin at midnight in New York.
import { ONE, parseMicros, toProbability } from '#core/price'
import type { Candle } from '#schemas/marketData'
import type { KalshiCandle } from '../wire.ts'
import { decimal } from './parse.ts'

const minute = 60_000
/** Requested from the venue: `period_interval` 1 and 60. */
const venueLengths = [minute, 60 * minute] as const

export const candleResolutionsMs: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  60 * minute,
  360 * minute,
  1_440 * minute,
]

/** The coarsest of the venue's lengths that divides `resolutionMs`; null when none does. */
export function baseLengthMs(resolutionMs: number): number | null {
  return venueLengths.findLast((length) => resolutionMs >= length && resolutionMs % length === 0) ?? null
}

/**
 * Null when nothing was traded in the bucket: the venue then reports only the previous price, and a candle made from that would show a
 * trade that did not happen. `end_period_ts` is the end; ours is the start.
 */
export function normalizeCandle(raw: KalshiCandle, lengthMs: number, isNo: boolean): Candle | null {
  const price = raw.price
  const read = (text: string | null | undefined) => (text === null || text === undefined ? null : parseMicros(text))
  const open = read(price?.open_dollars)
  const high = read(price?.high_dollars)
  const low = read(price?.low_dollars)
  const close = read(price?.close_dollars)
  if (open === null || high === null || low === null || close === null) return null
  const volume = raw.volume_fp === null || raw.volume_fp === undefined ? (raw.volume ?? null) : decimal(raw.volume_fp)
  const timestamp = raw.end_period_ts * 1000 - lengthMs
  const side = (micros: number) => toProbability(isNo ? ONE - micros : micros)
  // NO was highest when YES was lowest.
  const [top, bottom] = isNo ? [low, high] : [high, low]
  return { timestamp, open: side(open), high: side(top), low: side(bottom), close: side(close), volume }
}

/** Coarser candles from finer ones in time order. Empty buckets stay absent; an unknown volume makes the sum unknown. */
export function aggregateCandles(candles: readonly Candle[], resolutionMs: number): Candle[] {
  const coarse: Candle[] = []
  for (const candle of candles) {
    const timestamp = Math.floor(candle.timestamp / resolutionMs) * resolutionMs
    const last = coarse.at(-1)
    if (last === undefined || last.timestamp !== timestamp) {
      coarse.push({ ...candle, timestamp })
      continue
    }
    last.high = Math.max(last.high, candle.high)
    last.low = Math.min(last.low, candle.low)
    last.close = candle.close
    last.volume = last.volume === null || candle.volume === null ? null : last.volume + candle.volume
  }
  return coarse
}
