// The engine's input for a market: the catalog's words and the venue's own fields. Plain data; only the ids are required.
import type { MarketStatus } from '#schemas/market'

export interface SportsInput {
  venue: string
  /** The venue's own ids. Those of games contain league, sides and day in a few known formats. */
  marketId: string
  eventId: string | null
  title: string
  /** Rules; some venues write the start of the game only there. */
  description: string
  /** What Yes means if several markets share a title. */
  subtitle: string | null
  eventTitle: string | null
  slug: string | null
  eventSlug: string | null
  seriesId: string | null
  category: string | null
  tags: readonly string[]
  status: MarketStatus
  outcomes: readonly { outcomeId: string; label: string }[]
  /** `sourceMetadata` of the market and of its event, as far as they describe games. */
  metadata: Readonly<Record<string, unknown>>
  eventMetadata: Readonly<Record<string, unknown>>
}

/** A market's name across venues. */
export const keyOf = ({ venue, marketId }: { venue: string; marketId: string }): string => `${venue}:${marketId}`

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
