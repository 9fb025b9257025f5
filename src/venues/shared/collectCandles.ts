// Candles of a range from a venue that returns a limited span per request. With a start they are the oldest from there on, without one the
// newest before the end; empty buckets are absent, so a full answer may take several windows.
import { bucketWindow } from '#core/buckets'
import type { Candle } from '#schemas/marketData'
import type { CandlesQuery } from '../venue.ts'

export interface CandleWindows {
  nowMs: number
  /** Nothing was traded before or after; null when unknown. */
  earliestMs: number | null
  latestMs: number | null
  /** Longest span of one request. */
  spanMaxMs: number
  requestsMax: number
  /** Candles of whole buckets that start in the window, oldest first. */
  fetch(fromMs: number, beforeMs: number): Promise<Candle[]>
}

/** Oldest first, at most `limit`. `whole`: there are no others in the range, or `limit` cut them off. */
export async function collectCandles(
  { resolutionMs, startMs, endMs, limit }: CandlesQuery,
  { nowMs, earliestMs, latestMs, spanMaxMs, requestsMax, fetch }: CandleWindows,
): Promise<{ candles: Candle[]; whole: boolean }> {
  const requestedRange = bucketWindow(startMs ?? 0, Math.min(endMs ?? nowMs, latestMs ?? nowMs, nowMs), resolutionMs)
  let fromMs = Math.max(requestedRange.fromMs, Math.floor((earliestMs ?? 0) / resolutionMs) * resolutionMs)
  let { beforeMs } = requestedRange
  const spanMs = Math.max(1, Math.floor(spanMaxMs / resolutionMs)) * resolutionMs
  // If there will be no second request, the first asks for everything.
  let windowMs = requestsMax === 1 ? spanMs : Math.min(spanMs, limit * resolutionMs)
  let candles: Candle[] = []
  for (let n = 0; n < requestsMax && fromMs < beforeMs && candles.length < limit; n++) {
    if (startMs === undefined) {
      const windowFrom = Math.max(fromMs, beforeMs - windowMs)
      candles = [...(await fetch(windowFrom, beforeMs)), ...candles]
      beforeMs = windowFrom
    } else {
      const windowBefore = Math.min(beforeMs, fromMs + windowMs)
      candles.push(...(await fetch(fromMs, windowBefore)))
      fromMs = windowBefore
    }
    windowMs = spanMs
  }
  const whole = candles.length >= limit || fromMs >= beforeMs
  return { candles: startMs === undefined ? candles.slice(-limit) : candles.slice(0, limit), whole }
}
