// From a catalog's words to what the engine reads.
import { MarketStatus } from '#schemas/market'
import type { SportsWords } from '#storage/postgres/sports/index'
import { type SportsInput, textOf } from './input.ts'

/** Null for a market that asks several questions at once. */
export function inputOf(venue: string, marketId: string, words: SportsWords): SportsInput | null {
  const said = words.said ?? {}
  if (Array.isArray(said.mveSelectedLegs) && said.mveSelectedLegs.length > 0) return null
  const status = MarketStatus.safeParse(words.status)
  return {
    venue,
    marketId,
    eventId: words.eventId,
    title: words.title ?? '',
    description: words.description ?? '',
    subtitle: textOf(said.yesSubTitle) ?? textOf(said.groupItemTitle) ?? textOf(said.subtitle),
    eventTitle: words.eventTitle,
    slug: words.slug,
    eventSlug: words.eventSlug,
    seriesId: words.seriesId,
    category: words.category ?? words.eventCategory,
    tags: [...new Set([...(words.tags ?? []), ...(words.eventTags ?? [])])],
    status: status.success ? status.data : 'unknown',
    outcomes: (words.outcomes ?? []).map(({ outcomeId, label }) => ({ outcomeId, label: textOf(label) ?? '' })),
    said,
    saidOfEvent: words.saidOfEvent ?? {},
  }
}
