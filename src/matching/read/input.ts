// The matcher's input for a market: plain data; everything but the venue, the id and the title may be missing.

/** How a structured strike compares with the settlement value. */
export type StrikeType = 'greater' | 'greater_or_equal' | 'less' | 'less_or_equal' | 'between'

/** What a venue states about the list of an event's markets. */
export interface Listing {
  /** How many of them may still come true, whether or not they trade; null if not counted. */
  open: number | null
  /** Names may be moved out of "Other" later; null if the venue does not say. */
  grows: boolean | null
}

export interface MatchInput {
  /** Slug of the venue; two markets of one venue are never paired. */
  venue: string
  /** The venue's own id. Dates in it (`…-26NOV03-…`, `…-2026-05-12`) are read if the words name none. */
  marketId: string
  title: string
  /** What Yes means if several markets share the title: a name, a strike. */
  subtitle?: string | null | undefined
  eventTitle?: string | null | undefined
  rules?: string | null | undefined
  /** Trading close: ISO text or epoch milliseconds. Not the date of the event, and never compared as one. */
  closeTime?: string | number | null | undefined
  outcomes?: readonly string[] | null | undefined
  strikeType?: StrikeType | null | undefined
  floorStrike?: number | null | undefined
  capStrike?: number | null | undefined
  /** If the venue names its settlement source outside the rules. */
  resolutionSource?: string | null | undefined
  category?: string | null | undefined
  /** Start of the game, if the venue provides it: ISO text. */
  gameStart?: string | null | undefined
  /** The venue's own id of its event. */
  eventId?: string | null | undefined
  /** The venue states that at most one of the event's markets so marked comes true. */
  exclusive?: boolean | undefined
  /** For a market that may be its event's remainder: what is known of the event's list. */
  listing?: Listing | null | undefined
}

/** A market's name across venues. */
export const marketKey = (market: { venue: string; marketId: string }): string => `${market.venue}:${market.marketId}`

/** Epoch milliseconds of a close time, null if missing or invalid. */
export function closeMillis(time: string | number | null | undefined): number | null {
  if (time === null || time === undefined || time === '') return null
  const millis = typeof time === 'number' ? time : Date.parse(time)
  return Number.isFinite(millis) ? millis : null
}
