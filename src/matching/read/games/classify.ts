// Whether a market is about sports, and which one: from its id, its venue's labels and its words, in that order of trust.
import { competitionOf, type Place, placeOfCode, placeOfWords, splitCode } from './competitions.ts'
import { type SportsInput, textOf } from './input.ts'

export interface Classified {
  /** Null if only known to be sports. */
  place: Place | null
  /** What an id says about the bet after its league: `spread`, `1hspread`, `mvp`; null if nothing. */
  idBet: string | null
  /** The venue itself marks it as a bet on a game. */
  isGame: boolean
}

/** Ids that name the kind of bet: `asc-nhl-…`. */
const slugBets: Readonly<Record<string, string>> = { aec: 'winner', asc: 'spread', tsc: 'total' }
const isSportsLabel = /\b(?:sports?|e-?sports?|games?)\b/

export function classify(input: SportsInput): Classified | null {
  const { metadata, eventMetadata } = input
  const isGame = [
    metadata.sportsMarketType,
    metadata.gameStartTime,
    eventMetadata.gameStartTime,
    eventMetadata.fixtureId,
  ].some((each) => textOf(each) !== null)
  const labels = labelsOf(input)
  const byId = fromIds(input)
  const named = placeOfWords(labels)
  const isLabelled = isGame || named !== null || labels.some((label) => isSportsLabel.test(label))
  // Letters of an id alone may be coincidence: `KXVALUE…` is not Valorant.
  const trustedId = byId !== null && (isLabelled || byId.idBet !== null) ? byId : null
  if (trustedId === null && !isLabelled) return null
  const place = trustedId?.place ?? named ?? placeOfWords([`${input.eventTitle ?? ''} ${input.title}`.toLowerCase()])
  return { place: refined(place, named), idBet: trustedId?.idBet ?? null, isGame: isGame || trustedId?.idBet != null }
}

/** A code that names only the sport takes its competition from the labels. */
function refined(place: Place | null, named: Place | null): Place | null {
  if (place === null || place.competition !== null || named?.sport !== place.sport) return place
  return named
}

function labelsOf({ metadata, eventMetadata, category, tags, seriesId }: SportsInput): string[] {
  const labels = [
    metadata.leagueLabel,
    metadata.league,
    eventMetadata.leagueLabel,
    eventMetadata.league,
    eventMetadata.subcategory,
    eventMetadata.seriesSlug,
    metadata.section,
    ...tags,
    seriesId,
    category,
  ]
  return labels.flatMap((label) => {
    const text = textOf(label)
    return text === null ? [] : [text.toLowerCase().replaceAll('-', ' ')]
  })
}

function fromIds({ marketId, slug, eventSlug }: SportsInput): { place: Place; idBet: string | null } | null {
  const ticker = /^KX([A-Z0-9]+)-/.exec(marketId)
  if (ticker !== null) {
    const split = splitCode((ticker[1] as string).toLowerCase())
    const place = split === null ? null : placeOfCode(split[0])
    return place === null ? null : { place, idBet: tickerBet.test(split![1]) ? split![1] : null }
  }
  const symbol = /^GEMI-([A-Z0-9]+)-\d{10}-/.exec(marketId)
  if (symbol !== null) {
    const place = placeOfCode((symbol[1] as string).toLowerCase())
    return place === null ? null : { place, idBet: null }
  }
  for (const id of [marketId, slug, eventSlug]) {
    const dated = /^(?:([a-z]{3})-)?([a-z0-9]+)-.+-20\d\d-\d\d-\d\d(?:-|$)/.exec(id ?? '')
    // `epl-tot-new-…` begins with its league, `aec-mlb-…` with its bet.
    const place = dated === null ? null : (placeOfCode(dated[1] ?? '') ?? placeOfCode(dated[2] as string))
    if (place !== null) return { place, idBet: slugBets[dated![1] ?? ''] ?? null }
  }
  return null
}

const tickerBet =
  /^(?:[12]h|[1-4]q|[1-3]p|f5|g|set|map)?(?:game|match|fight|winner|spread|total|teamtotal|btts|map|setwinner|advance|rfi)$/

/** The league in whose team table a code or a city is looked up; null if none. */
export function tableOf(place: Place | null): string | null {
  const id = place?.competition?.id ?? ''
  return /^(?:mlb|nba|wnba|nfl|nhl|ipl)$/.test(id) && competitionOf(id) !== null ? id : null
}
