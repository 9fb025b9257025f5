// The last day's volume of an event: the sum over its members, and how complete it is.
import type { Event, Market } from '#schemas/market'
import type { Volume24hSource } from '#schemas/venues'

/**
 * `own`: the venue's own figure for the whole event, if it has one. Rounded to the millionth, the precision of venues' own decimals.
 */
export function dailyVolume(
  members: readonly Market[],
  own: number | null = null,
): Required<Pick<Event, 'volume24h' | 'volume24hSource'>> {
  const known = members.filter(({ volume24h }) => volume24h !== null)
  const sources = new Set(known.flatMap(({ volume24hSource }) => volume24hSource ?? []))
  if (own !== null) sources.add('venue')
  const sum = known.reduce((total, { volume24h }) => total + (volume24h ?? 0), 0)
  return {
    volume24h: own ?? (known.length === 0 ? null : Math.round(sum * 1e6) / 1e6),
    volume24hSource: { sources: [...sources], partial: known.length < members.length },
  }
}

/** A market's own volume; null while unknown. How it would be determined is reported either way. */
export const ownDailyVolume = (
  volume24h: number | null,
  source: Volume24hSource = 'venue',
): Required<Pick<Market, 'volume24h' | 'volume24hSource'>> => ({ volume24h, volume24hSource: source })
