// Selects catalog rows: one value, turned into SQL conditions in one place for lists and for counts.
import { plainTsquery, type SearchTerm } from './searchTerm.ts'

export type CatalogKind = 'markets' | 'events'
export type RankColumn = 'volume_rank' | 'liquidity_rank' | 'newest_rank'

/** Every condition must hold; absent means "any". Text is compared as given: the caller folds case where needed. */
export interface CatalogSelection {
  venues: readonly string[]
  active?: boolean
  /** Only rows of settled markets. Together with `active`: false. */
  resolved?: true
  /** A row matches when the searched text matches every term. */
  words?: {
    terms: readonly SearchTerm[]
    searchIn: 'title' | 'description' | 'both'
    /** The same as a tsquery of the words that titles contain; see lexemes.ts. */
    titleQuery?: string
  }
  slug?: string
  marketId?: string
  outcomeId?: string
  eventId?: string
  seriesId?: string
  category?: string
  tags?: readonly string[]
}

export const tables = { markets: 'catalog_markets', events: 'catalog_events' } as const
/** Letter of a kind in catalog_marks, catalog_words and catalog_titles. */
export const letters = { markets: 'm', events: 'e', series: 's' } as const
/** Letter of a sort in catalog_past_ranks. */
export const sortLetters = { volume_rank: 'v', liquidity_rank: 'l', newest_rank: 'n' } as const

/** Values of one statement; `add` returns the placeholder. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}

export const titleQueryOf = ({ terms, titleQuery }: NonNullable<CatalogSelection['words']>): string =>
  titleQuery ?? plainTsquery(terms)

/** Only words in titles, venues and status: what catalog_titles can answer alone. */
export const isTitleSearch = (selection: CatalogSelection): boolean =>
  selection.words?.searchIn === 'title' &&
  Object.keys(selection).every((key) => ['venues', 'active', 'words'].includes(key))

/** Few rows can match, so they are found first and sorted then. Otherwise the sort's own index is walked. */
export const isSelective = (selection: CatalogSelection): boolean =>
  (['words', 'slug', 'marketId', 'outcomeId', 'eventId', 'seriesId'] as const).some(
    (key) => selection[key] !== undefined,
  )

/** PostgreSQL text holds every character but NUL: an id with one matches nothing. */
export const cannotMatch = ({ tags, words, ...texts }: CatalogSelection): boolean =>
  texts.venues.length === 0 ||
  tags?.length === 0 ||
  words?.terms.length === 0 ||
  [...Object.values(texts), ...(tags ?? [])].some((value) => typeof value === 'string' && value.includes('\0'))

/** Conditions on alias `r`, besides venue and active, which the two list forms treat differently. */
export function conditionsOf(kind: CatalogKind, selection: CatalogSelection, parameters: Parameters): string[] {
  const text = (value: string) => parameters.add(value, 'text')
  const venues = () => parameters.add(selection.venues, 'text[]')
  const { words, slug, marketId, outcomeId, eventId, seriesId, category, tags } = selection
  const conditions: string[] = []

  if (words) {
    const hits = (table: string, column: string, query: string): string =>
      `SELECT w.venue, w.id FROM ${table} w WHERE w.kind = '${letters[kind]}' AND w.${column} @@ ${parameters.add(query, 'tsquery')}`
    const sources = [
      ...(words.searchIn === 'description' ? [] : [hits('catalog_titles', 'title', titleQueryOf(words))]),
      ...(words.searchIn === 'title' ? [] : [hits('catalog_words', 'description', plainTsquery(words.terms))]),
    ]
    conditions.push(`(r.venue, r.id) IN (${sources.join(' UNION ALL ')})`)
  }
  if (selection.resolved === true)
    conditions.push(
      kind === 'markets'
        ? 'r.resolved'
        : 'EXISTS (SELECT 1 FROM catalog_markets s WHERE s.venue = r.venue AND s.event_id = r.id AND s.resolved)',
    )
  if (slug !== undefined) conditions.push(`r.slug = ${text(slug)}`)
  if (category !== undefined) conditions.push(`r.category = ${text(category)}`)
  if (tags) conditions.push(`r.tags && ${parameters.add(tags, 'text[]')}`)

  const ownMarkets = kind === 'markets' ? 'r.id' : 'm.id'
  const marketConditions: string[] = []
  if (marketId !== undefined) marketConditions.push(`${ownMarkets} = ${text(marketId)}`)
  if (outcomeId !== undefined) {
    marketConditions.push(`(${kind === 'markets' ? 'r' : 'm'}.venue, ${ownMarkets}) IN (
      SELECT o.venue, o.market_id FROM catalog_outcomes o WHERE o.venue = ANY(${venues()}) AND o.outcome_id = ${text(outcomeId)})`)
  }
  if (kind === 'markets') {
    conditions.push(...marketConditions)
    if (eventId !== undefined) conditions.push(`r.event_id = ${text(eventId)}`)
    if (seriesId !== undefined) {
      conditions.push(
        `(r.venue, r.event_id) IN (SELECT e.venue, e.id FROM catalog_events e WHERE e.series_id = ${text(seriesId)})`,
      )
    }
  } else {
    if (eventId !== undefined) conditions.push(`r.id = ${text(eventId)}`)
    if (seriesId !== undefined) conditions.push(`r.series_id = ${text(seriesId)}`)
    if (marketConditions.length > 0) {
      conditions.push(`(r.venue, r.id) IN (
        SELECT m.venue, m.event_id FROM catalog_markets m WHERE m.venue = ANY(${venues()}) AND ${marketConditions.join(' AND ')})`)
    }
  }
  return conditions
}
