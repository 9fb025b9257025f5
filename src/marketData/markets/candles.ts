// Candle intervals and ranges: parsing `5m`, building a coarser candle from finer ones, trimming a response to the request. Pure.
import { bucketWindow } from '#core/buckets'
import type { Candle } from '#schemas/marketData'

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Any count followed by s, m, h or d; null for anything else, for zero, and above a year. */
export function parseResolution(text: string): number | null {
  const match = /^([1-9]\d{0,6})([smhd])$/.exec(text)
  if (match === null) return null
  const ms = Number(match[1]) * unitMs[match[2]!]!
  return ms <= 366 * unitMs.d! ? ms : null
}

/** The venue's coarsest interval that divides the requested one; null when none does. */
export function intervalFor(wantedMs: number, offeredMs: readonly number[]): number | null {
  const fitting = offeredMs.filter((offered) => wantedMs % offered === 0)
  return fitting.length === 0 ? null : Math.max(...fitting)
}

/** Buckets aligned to the epoch. Volume is unknown if any member's is. `candles` ascending. */
export function mergeCandles(candles: readonly Candle[], bucketMs: number): Candle[] {
  const merged: Candle[] = []
  for (const candle of candles) {
    const start = candle.timestamp - (candle.timestamp % bucketMs)
    const open = merged.at(-1)
    if (open?.timestamp !== start) {
      merged.push({ ...candle, timestamp: start })
      continue
    }
    open.high = Math.max(open.high, candle.high)
    open.low = Math.min(open.low, candle.low)
    open.close = candle.close
    open.volume = open.volume === null || candle.volume === null ? null : open.volume + candle.volume
  }
  return merged
}

/** A request for candles, independent of the source. */
export interface CandleRange {
  resolutionMs: number
  startMs: number | undefined
  endMs: number | undefined
  limit: number
}

/** With a start the oldest from there on, without one the newest; only buckets that start within the range. `candles` ascending. */
export function cutCandles(candles: readonly Candle[], { resolutionMs, startMs, endMs, limit }: CandleRange): Candle[] {
  const { fromMs, beforeMs } = bucketWindow(startMs ?? 0, endMs ?? Number.MAX_SAFE_INTEGER, resolutionMs)
  const within = candles.filter(({ timestamp }) => timestamp >= fromMs && timestamp < beforeMs)
  return startMs === undefined ? within.slice(-limit) : within.slice(0, limit)
}

/** The same range in finer candles, whole buckets of the coarse ones. */
export function smallerInterval({ resolutionMs, startMs, endMs, limit }: CandleRange, grainMs: number): CandleRange {
  const { fromMs, beforeMs } = bucketWindow(startMs ?? 0, endMs ?? 0, resolutionMs)
  return {
    resolutionMs: grainMs,
    startMs: startMs === undefined ? undefined : fromMs,
    endMs: endMs === undefined ? undefined : beforeMs - 1,
    limit: limit * (resolutionMs / grainMs),
  }
}
