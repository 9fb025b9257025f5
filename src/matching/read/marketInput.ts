// Converts a catalog row to the matcher's input. Each venue stores the label of an outcome, its strike and its source under its own field
// names.
import type { MatchWords } from '#storage/postgres/matching/index'
import type { Listing, MatchInput, StrikeType } from './input.ts'

const strikeTypes: ReadonlySet<string> = new Set<StrikeType>([
  'greater',
  'greater_or_equal',
  'less',
  'less_or_equal',
  'between',
])

/** Null for a market without a question of its own: a parlay, a scalar. */
export function inputOf(venue: string, marketId: string, words: MatchWords): MatchInput | null {
  const metadata = words.metadata ?? {}
  if (Array.isArray(metadata.mveSelectedLegs) && metadata.mveSelectedLegs.length > 0) return null
  if (metadata.marketType === 'scalar') return null
  const strikeType = textOf(metadata.strikeType)
  return {
    venue,
    marketId,
    title: words.title ?? '',
    subtitle: textOf(metadata.yesSubTitle) ?? textOf(metadata.groupItemTitle) ?? textOf(metadata.subtitle),
    eventTitle: words.eventTitle,
    rules: [words.description, textOf(metadata.rules), textOf(metadata.rulesSecondary)]
      .filter((text) => text !== null && text !== '')
      .join('\n'),
    closeTime: textOf(metadata.closeTime) ?? textOf(metadata.endDate) ?? words.resolutionDate,
    outcomes: Array.isArray(words.outcomes)
      ? words.outcomes.filter((label): label is string => typeof label === 'string')
      : null,
    strikeType: strikeType !== null && strikeTypes.has(strikeType) ? (strikeType as StrikeType) : null,
    floorStrike: numberOf(metadata.floorStrike),
    capStrike: numberOf(metadata.capStrike),
    resolutionSource: sourceOf(metadata.resolutionSource, words.eventMetadata ?? {}),
    category: words.category,
    gameStart: textOf(metadata.gameStartTime) ?? textOf(words.eventMetadata?.gameStartTime),
    eventId: words.eventId,
    exclusive: isExclusive(words.eventMetadata ?? {}, metadata),
    listing: words.eventOpen === null ? null : listingOf(words.eventOpen, words.eventMetadata ?? {}),
  }
}

/**
 * As stated for an event by Kalshi, Hyperliquid and venues with negative-risk collateral; a market may be excluded from
 * it.
 */
const isExclusive = (event: Record<string, unknown>, market: Record<string, unknown>): boolean =>
  (event.mutuallyExclusive === true || event.negRisk === true) && market.negRisk !== false

/** Unlisted answers may come true, too (a fallback on Hyperliquid). A negative-risk event states whether its list may be augmented. */
const listingOf = (open: number, { fallbackOutcome, negRiskAugmented }: Record<string, unknown>): Listing => ({
  open: typeof fallbackOutcome === 'number' ? open + 1 : open,
  grows: typeof negRiskAugmented === 'boolean' ? negRiskAugmented : null,
})

function sourceOf(own: unknown, event: Record<string, unknown>): string | null {
  const listed = Array.isArray(event.settlementSources) ? event.settlementSources : []
  const named = listed.flatMap((source: unknown) =>
    typeof source === 'object' && source !== null
      ? Object.values(source).filter((word): word is string => typeof word === 'string')
      : [],
  )
  const all = [textOf(own), textOf(event.resolutionSource), ...named].filter((word) => word !== null)
  return all.length === 0 ? null : all.join(' ')
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}
