// `GET /v2/prices-history` of the Data API: samples of one token, oldest first, by cursor.
// https://docs.polymarket.com/api-reference/endpoints/data-v2/get-prices-history
import type { Engine } from '../engine/engine.ts'
import type { LabReply } from '../venueServer.ts'
import { isReply, pageOf, placeOf, refused } from './dataPage.ts'
import type { PolyListing } from './marketGenerator.ts'

const pageMax = 10_000
const daySeconds = 86_400
const spanMaxSeconds = 15 * daySeconds
/** How far back each width is kept, seconds; wider ones for good. */
const kept = [
  [300, 7 * daySeconds],
  [1_800, 60 * daySeconds],
  [10_800, 90 * daySeconds],
] as const

/** Span, the width used when none is given, and the narrowest allowed. The engine remembers 90 days. */
const intervals: Readonly<Record<string, readonly [span: number, standard: number, least: number]>> = {
  '1h': [3_600, 60, 60],
  '6h': [21_600, 60, 60],
  '1d': [daySeconds, 60, 60],
  '1w': [7 * daySeconds, 300, 300],
  '1m': [30 * daySeconds, 1_800, 600],
  max: [90 * daySeconds, 43_200, 600],
  all: [90 * daySeconds, 43_200, 600],
}

export function pricesHistory(listing: PolyListing, engine: Engine, query: URLSearchParams, nowMs: number): LabReply {
  const place = placeOf(query, { route: 'prices_history', standard: pageMax, max: pageMax })
  if (isReply(place)) return place
  const tokenId = query.get('token_id')
  if (tokenId === null) return refused("required query param 'token_id' not provided", 'token_id')
  const now = Math.floor(nowMs / 1_000)
  const requestedSpan = spanOf(query, now)
  if ('status' in requestedSpan) return requestedSpan
  const found = listing.byToken.get(tokenId)
  if (found === undefined) return pageOf('prices_history', place, [])
  const live = engine.glance(found.market.key)!
  const { start, end, seconds } = requestedSpan
  const reach = kept.find(([limit]) => seconds < limit)?.[1] ?? Number.POSITIVE_INFINITY
  const points: { timestamp: number; price: number; resolution_seconds: number }[] = []
  const add = (timestamp: number, yes: number, resolution_seconds: number): void =>
    void points.push({
      timestamp,
      price: (found.side === 0 ? yes : 1_000_000 - yes) / 1_000_000,
      resolution_seconds,
    })
  if (now - start <= reach) {
    const first = Math.ceil(start / seconds) * seconds
    const bars = live.log.bars(first * 1_000, end * 1_000, seconds * 1_000)
    let yes = live.priceAt(first * 1_000 - 1)
    let next = 0
    for (let at = first; at < end; at += seconds) {
      while (next < bars.length && bars[next]!.startMs < at * 1_000) yes = bars[next++]!.closeMicros
      add(at, yes, seconds)
    }
    // The terminal point: the newest tick, wherever it lies between two buckets.
    if (end - 1 > (points.at(-1)?.timestamp ?? 0)) add(end - 1, live.priceAt((end - 1) * 1_000), 0)
  }
  return pageOf('prices_history', place, points.slice(place.offset, place.offset + place.limit + 1))
}

function spanOf(query: URLSearchParams, now: number): { start: number; end: number; seconds: number } | LabReply {
  const [interval, from] = [query.get('interval'), query.get('start')]
  if ((interval === null) === (from === null)) return refused('provide exactly one of start, interval, or as_of')
  const known = interval === null ? undefined : intervals[interval]
  if (interval !== null && known === undefined) {
    return refused('interval must be one of max, all, 1m, 1w, 1d, 6h, 1h', 'interval')
  }
  const [span, standard, least] = known ?? [0, 300, 60]
  const seconds = Number(query.get('bucket_seconds') ?? standard)
  if (!Number.isInteger(seconds) || seconds < least || seconds > daySeconds) {
    return refused(`bucket_seconds must be ${least} to ${daySeconds}`, 'bucket_seconds')
  }
  if (known !== undefined) {
    // Only the widths of 3 and 12 hours reach over the whole life.
    const isWhole = interval !== 'max' && interval !== 'all' ? true : seconds === 10_800 || seconds === 43_200
    return { start: now - (isWhole ? span : 30 * daySeconds), end: now, seconds }
  }
  const [start, until] = [Number(from), Number(query.get('end') ?? now)]
  if (!Number.isInteger(start) || !Number.isInteger(until) || start <= 0 || until <= 0) {
    return refused('start and end must be epoch seconds', 'start')
  }
  if (until < start || until - start > spanMaxSeconds) return refused('the window may span at most 15 days', 'start')
  return { start, end: Math.min(until, now + 1), seconds }
}
