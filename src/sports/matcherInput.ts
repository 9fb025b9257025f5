// Converts a catalog's text to the engine's input.

import { type SportsInput, textOf } from '#matching/read/games/input'
import { MarketStatus } from '#schemas/market'
import type { SportsWords } from '#storage/postgres/sports/index'

/** A title is a sentence; text that a venue appends must not slow the engine down. */
const charsMax = 400
const tagsMax = 50
const cut = (text: string | null): string | null => text?.slice(0, charsMax) ?? null

/** Null for a market that asks several questions at once. */
export function inputOf(venue: string, marketId: string, words: SportsWords): SportsInput | null {
  const metadata = words.said ?? {}
  if (Array.isArray(metadata.mveSelectedLegs) && metadata.mveSelectedLegs.length > 0) return null
  const status = MarketStatus.safeParse(words.status)
  return {
    venue,
    marketId,
    eventId: words.eventId,
    title: cut(words.title) ?? '',
    description: words.description ?? '',
    subtitle: cut(textOf(metadata.yesSubTitle) ?? textOf(metadata.groupItemTitle) ?? textOf(metadata.subtitle)),
    eventTitle: cut(words.eventTitle),
    slug: words.slug,
    eventSlug: words.eventSlug,
    seriesId: words.seriesId,
    category: words.category ?? words.eventCategory,
    tags: [...new Set([...(words.tags ?? []), ...(words.eventTags ?? [])])].slice(0, tagsMax),
    status: status.success ? status.data : 'unknown',
    outcomes: (words.outcomes ?? []).map(({ outcomeId, label }) => ({ outcomeId, label: cut(textOf(label)) ?? '' })),
    metadata,
    eventMetadata: words.saidOfEvent ?? {},
  }
}
