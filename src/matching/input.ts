// What the matcher is given of a market: plain data; everything but the venue, the id and the title may be missing.

import type { Listing } from './relations/remainder.ts'

/** How a structured strike is to be read against the settlement value. */
export type StrikeType = 'greater' | 'greater_or_equal' | 'less' | 'less_or_equal' | 'between'

export interface MatchInput {
  /** Slug of the venue; two markets of one venue are never paired. */
  venue: string
  /** The venue's own id. Dates written inside it (`…-26NOV03-…`, `…-2026-05-12`) are read when the words name none. */
  marketId: string
  title: string
  /** What Yes stands for where the title is shared by several markets: a name, a strike. */
  subtitle?: string | null | undefined
  eventTitle?: string | null | undefined
  rules?: string | null | undefined
  /** Close of trading: ISO text or epoch milliseconds. Not the date of the event, and never compared as one. */
  closeTime?: string | number | null | undefined
  outcomes?: readonly string[] | null | undefined
  strikeType?: StrikeType | null | undefined
  floorStrike?: number | null | undefined
  capStrike?: number | null | undefined
  /** Where the venue names its settlement source outside the rules. */
  resolutionSource?: string | null | undefined
  category?: string | null | undefined
  /** When the game begins, where the venue says so: ISO text. */
  gameStart?: string | null | undefined
  /** The venue's own id of its event. */
  eventId?: string | null | undefined
  /** The venue says that of the event's markets marked so one at most comes true. */
  exclusive?: boolean | undefined
  /** Of a market that may be what its event leaves over: what is known of the event's list. */
  listing?: Listing | null | undefined
}

/** One name for a market across venues. */
export const marketKey = (market: { venue: string; marketId: string }): string => `${market.venue}:${market.marketId}`

/** Epoch milliseconds of a close time, null where it is missing or no time. */
export function closeMillis(time: string | number | null | undefined): number | null {
  if (time === null || time === undefined || time === '') return null
  const millis = typeof time === 'number' ? time : Date.parse(time)
  return Number.isFinite(millis) ? millis : null
}
