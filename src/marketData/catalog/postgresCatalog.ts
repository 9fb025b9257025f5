// The catalog on PostgreSQL. Filters apply before paging; a list is walked by keyset.
//
// While rows are being written, a walk neither repeats nor skips a row that is in the list from its beginning to its end: every page is read
// in the order of the first one. The content of a row is as new as the page.
import { Cache } from '#core/cache'
import { type Clock, systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Event, Market, Series } from '#schemas/market'
import { countRows, countTitleHits } from '#storage/postgres/catalog/countRows'
import { findMarket } from '#storage/postgres/catalog/findMarket'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import { findMarketsNamed } from '#storage/postgres/catalog/findMarketsNamed'
import { findMarketsOfEvents } from '#storage/postgres/catalog/findMarketsOfEvents'
import { findMarketsOfOutcomes } from '#storage/postgres/catalog/findMarketsOfOutcomes'
import { findNearTitles } from '#storage/postgres/catalog/findNearTitles'
import {
  findPage,
  type Page,
  type PagePlace,
  type PageQuery,
  type PageRow,
  type Versions,
} from '#storage/postgres/catalog/findPage'
import { findSeries } from '#storage/postgres/catalog/findSeries'
import { findUnseenMarkets } from '#storage/postgres/catalog/findUnseenMarkets'
import { type ExpandedTerm, expandTerms, findSimilarLexemes } from '#storage/postgres/catalog/lexemes'
import {
  type CatalogKind,
  type CatalogSelection,
  isTitleSearch,
  type RankColumn,
} from '#storage/postgres/catalog/selection'
import { asUnavailable, inTransaction, type Pool, type Queryable } from '#storage/postgres/pool'
import { boundedEvent, boundedSeries } from '#venues/venueText'
import type { Catalog, CatalogFilter, CatalogPageOf, CatalogPosition, CatalogQuery, CatalogSort } from './catalog.ts'
import { createTotals, totalsKeptMs } from './countCache.ts'
import type { DailyVolumes } from './dailyVolumes.ts'
import { expireVolumes } from './expireVolumes.ts'
import { OutcomeLookUps } from './outcomeLoader.ts'
import { fold } from './records.ts'
import { searchTermsOf } from './searchTerms.ts'
import { createLexicon } from './searchVocabulary.ts'
import { walksKeptDefaultMs, writeEvents } from './writeEvents.ts'

/** A total is exact up to here; this exact number means "at least". */
export const exactTotalMax = 1_000_000
/** An offset reads and discards what it skips; deeper readers use the cursor. */
export const offsetMax = 50_000
/** Maximum rows per page; the HTTP layer has its own, lower limits. */
export const pageRowsMax = 10_000

const writeWithinMs = 60_000

/** How common a title's words are hardly changes. */
const hitsKeptMs = 600_000
/**
 * For a search by title: from this many hits, finding and sorting all takes longer than walking the order until a page is full.
 */
const walkFromDefaultHits = 2_000
/** Deeper offsets discard too much of what a walk reads. */
const walkOffsetMax = 1_000
/** A walk finds common words soon, unless they are all at the end of the order: then it is aborted. */
const walkWithinDefaultMs = 100
const walksMax = 500
/** Titles suggested when a search finds nothing. */
export const suggestionsMax = 5
/** Several markets may have one title. */
const nearTitlesMax = 40
const similarWordsMax = 3
const unknownWordsMax = 4
/** Suggestions are optional: words that are too common yield none. */
const suggestWithinMs = 1_000

const rankOf: Readonly<Record<CatalogSort, RankColumn>> = {
  // The last 24 hours: what clients of this family mean by it, and what every venue has.
  volume: 'volume_rank',
  liquidity: 'liquidity_rank',
  newest: 'newest_rank',
}

export interface CatalogOptions {
  clock?: Clock
  totalsMs?: number
  /** Number of matching titles from which the order is walked. */
  walkFromHits?: number
  walkWithinMs?: number
  /** Minimum time a walk can take. */
  walksKeptMs?: number
  /** For venues that report no daily volumes; needed where their rows are written. */
  dailyVolumes?: ReadonlyMap<string, DailyVolumes>
}

export function createPostgresCatalog(
  pool: Pool,
  {
    clock = systemClock,
    totalsMs = totalsKeptMs,
    walkFromHits = walkFromDefaultHits,
    walkWithinMs = walkWithinDefaultMs,
    walksKeptMs = walksKeptDefaultMs,
    dailyVolumes = new Map(),
  }: CatalogOptions = {},
): Catalog {
  const totals = createTotals(clock, totalsMs)
  const titleHits = createTotals(clock, hitsKeptMs)
  /** Recently walked searches: whether hits were found soon. The first walk of each is timed, in its own transaction. */
  const walks = new Cache<boolean>(walksMax, { clock, forMs: hitsKeptMs })
  const learnWords = createLexicon(pool)
  const read = <T>(work: Promise<T>) => asUnavailable('CATALOG_UNAVAILABLE', work)
  const named = new OutcomeLookUps((keys) => read(findMarketsNamed<Market>(pool, keys)), clock)
  const outcomes = new OutcomeLookUps((keys) => read(findMarketsOfOutcomes<Market>(pool, keys)), clock)

  async function findList<Doc>(kind: CatalogKind, query: CatalogQuery): Promise<CatalogPageOf<PageRow<Doc>>> {
    refuseTooBroad(query)
    const requested = selectionOf(query.filter)
    const { selection, terms } = await inWholeWords(requested)
    const [{ rows, written, oldest }, total] = await Promise.all([
      findRows<Doc>({
        kind,
        selection,
        rank: rankOf[query.sort],
        after: query.after ? placeOf(query.after) : null,
        offset: query.offset ?? 0,
        // One more than requested: it shows whether the page is the last one.
        limit: query.limit + 1,
      }),
      totals.get(JSON.stringify([kind, requested]), () => countRows(pool, kind, selection, exactTotalMax)),
    ])
    if (query.after) rejectExpiredWalk(query.after.versions, oldest)
    const versions = query.after?.versions ?? written
    const page = rows.slice(0, query.limit)
    const positions = page.map((row) => positionOf(row, versions))
    const isEmpty = total === 0 && page.length === 0 && terms.length > 0
    return {
      ...(isEmpty && { suggestions: await suggest(kind, selection, terms) }),
      rows: page,
      positions,
      next: rows.length > page.length ? positions.at(-1)! : null,
      total,
      asOf:
        page.length === 0 ? null : page.reduce((oldest, row) => Math.min(oldest, row.as_of), Number.POSITIVE_INFINITY),
    }
  }

  async function inWholeWords(
    selection: CatalogSelection,
  ): Promise<{ selection: CatalogSelection; terms: readonly ExpandedTerm[] }> {
    const { words } = selection
    if (words === undefined || words.searchIn === 'description') return { selection, terms: [] }
    const terms = await expandTerms(pool, words.terms)
    const titleQuery = terms.map(({ query }) => query).join(' & ')
    return { selection: { ...selection, words: { ...words, titleQuery } }, terms }
  }

  /** For a search that finds nothing: titles with most of its terms, a word that no title contains replaced by similar ones. */
  async function suggest(
    kind: CatalogKind,
    selection: CatalogSelection,
    terms: readonly ExpandedTerm[],
  ): Promise<string[]> {
    const find = async (db: Queryable): Promise<string[]> => {
      const queries: string[] = []
      for (const { query, unknown } of terms) {
        if (unknown.length === 0) queries.push(query)
        for (const word of unknown.slice(0, unknownWordsMax))
          queries.push(...(await findSimilarLexemes(db, word, similarWordsMax)).map((similar) => `'${similar}'`))
      }
      if (queries.length === 0) return []
      const titles = await findNearTitles(db, kind, selection, queries, nearTitlesMax)
      return [...new Set(titles)].slice(0, suggestionsMax)
    }
    try {
      return await inTransaction(pool, find, { statementTimeoutMs: suggestWithinMs })
    } catch (error) {
      if (!isStatementTimeout(error)) throw error
      return []
    }
  }

  /** Rare words: all hits are found, then sorted. Common ones: the order is walked until enough hits are found. */
  async function findRows<Doc>(query: PageQuery): Promise<Page<Doc>> {
    const { kind, selection, rank, offset } = query
    const { words } = selection
    if (!isTitleSearch(selection) || words === undefined || words.terms.length === 0 || offset > walkOffsetMax)
      return findPage<Doc>(pool, query)
    const name = JSON.stringify([kind, words.terms])
    const hits = await titleHits.get(name, () => countTitleHits(pool, kind, words, walkFromHits))
    if (hits < walkFromHits) return findPage<Doc>(pool, query)
    const walkName = JSON.stringify([kind, words.terms, selection.venues, selection.active, rank])
    const isKnownShort = walks.get(walkName)
    if (isKnownShort !== undefined) {
      if (!isKnownShort) return findPage<Doc>(pool, query)
      // Further pages may find fewer hits than the first one.
      if (query.after === null && offset === 0) return findPage<Doc>(pool, { ...query, manyHits: true })
    }
    try {
      const page = await inTransaction(pool, (db) => findPage<Doc>(db, { ...query, manyHits: true }), {
        statementTimeoutMs: walkWithinMs,
      })
      walks.set(walkName, true)
      return page
    } catch (error) {
      if (!isStatementTimeout(error)) throw error
      walks.set(walkName, false)
      return findPage<Doc>(pool, query)
    }
  }

  async function findEvents(query: CatalogQuery): Promise<CatalogPageOf<Event>> {
    const page = await findList<Omit<Event, 'markets'>>('events', query)
    const markets = new Map<string, Market[]>()
    for (const row of await findMarketsOfEvents<Market>(pool, page.rows)) {
      const name = JSON.stringify([row.venue, row.event_id])
      const list = markets.get(name)
      if (list) list.push(row.doc)
      else markets.set(name, [row.doc])
    }
    const rows = page.rows.map(({ venue, id, doc }) => ({
      ...doc,
      markets: markets.get(JSON.stringify([venue, id])) ?? [],
    }))
    return { ...page, rows }
  }

  return {
    async findMarkets(query) {
      const page = await read(findList<Market>('markets', query))
      return { ...page, rows: page.rows.map((row) => row.doc) }
    },
    findEvents: (query) => read(findEvents(query)),
    findSeries: (query) => {
      const terms = query.query === undefined ? {} : { terms: searchTermsOf(query.query) }
      return read(findSeries<Series>(pool, { ...query, ...terms }))
    },
    async findOutcomes(venue, outcomeId, caller) {
      const rows = await outcomes.find(venue, outcomeId, caller)
      return rows.flatMap(({ doc: market }) =>
        market.outcomes
          .filter((outcome) => outcome.outcomeId === outcomeId)
          .map((outcome) => ({ venue, outcome, market })),
      )
    },
    async findMarketNamed(venue, name, caller) {
      const [row] = await named.find(venue, name, caller)
      return row === undefined ? null : { market: row.doc, by: row.by }
    },
    findMarket: (venue, marketId) => read(findMarket<Market>(pool, venue, marketId)),
    async findMarketsByIds(markets) {
      const rows = await read(findMarketsByIds<Market>(pool, markets))
      return new Map(rows.map(({ venue, id, doc }) => [`${venue}:${id}`, doc]))
    },
    async upsertEvents(venue, given, givenSeries, asOf) {
      const events = given.map((event) => boundedEvent(event, asOf))
      const series = givenSeries.map(boundedSeries)
      const derived = dailyVolumes.get(venue)
      const write = async () => {
        await learnWords(events)
        const options = derived && { dailyVolumes: { source: derived.source, of: await derived.at(asOf) } }
        return inTransaction(pool, (db) => writeEvents(db, venue, events, series, asOf, { walksKeptMs, ...options }))
      }
      const counts = await asUnavailable('CATALOG_UNAVAILABLE', write(), { withinMs: writeWithinMs })
      totals.forget()
      return counts
    },
    async forgetVolumes(venue, now) {
      const derived = dailyVolumes.get(venue)
      if (derived === undefined) return 0
      const forget = inTransaction(pool, (db) => expireVolumes(db, venue, now, derived.source, walksKeptMs))
      return asUnavailable('CATALOG_UNAVAILABLE', forget, { withinMs: writeWithinMs })
    },
    findUnseenMarkets: (query) => read(findUnseenMarkets<Market>(pool, query)),
    async findMostActiveMarkets(venue, limit) {
      const { rows } = await read(
        findPage<Market>(pool, {
          kind: 'markets',
          selection: { venues: [venue], active: true },
          rank: 'volume_rank',
          after: null,
          offset: 0,
          limit,
        }),
      )
      return rows.map((row) => row.doc)
    },
  }
}

/** SQLSTATE query_canceled. */
const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '57014'

function refuseTooBroad({ limit, offset = 0, after }: CatalogQuery): void {
  if (after && offset > 0) throw new Fault('VALIDATION_ERROR', 'cursor and offset exclude each other')
  if (!Number.isInteger(limit) || limit < 1) throw new Fault('VALIDATION_ERROR', 'limit must be a whole number above 0')
  if (!Number.isInteger(offset) || offset < 0) throw new Fault('VALIDATION_ERROR', 'offset must be a whole number')
  if (limit > pageRowsMax) throw new Fault('CATALOG_QUERY_TOO_BROAD', `limit must not exceed ${pageRowsMax}`)
  if (offset > offsetMax) {
    throw new Fault('CATALOG_QUERY_TOO_BROAD', `offset must not exceed ${offsetMax}: continue with nextCursor instead`)
  }
}

/** `inactive` and `closed` both mean everything that is not active, `resolved` what is settled; no status means any. */
export function selectionOf(filter: CatalogFilter): CatalogSelection {
  const { venues, status, query, searchIn, category, tags, slug, marketId, outcomeId, eventId, seriesId } = filter
  const active = status === undefined || status === 'all' ? {} : { active: status === 'active' }
  const words = query?.trim() ? { words: { terms: searchTermsOf(query), searchIn: searchIn ?? 'title' } } : {}
  return {
    venues: [...new Set(venues)].sort(),
    ...active,
    ...(status === 'resolved' && { resolved: true as const }),
    ...words,
    ...defined({ slug, marketId, outcomeId, eventId, seriesId }),
    ...(category === undefined ? {} : { category: fold(category) }),
    ...(tags === undefined ? {} : { tags: tags.map(fold) }),
  }
}

function defined<T extends Record<string, string | undefined>>(parts: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}

/** No page is better than one that omits rows. */
function rejectExpiredWalk(begun: Versions, oldest: Versions): void {
  if (Object.entries(oldest).some(([venue, first]) => (begun[venue] ?? 0) < first))
    throw new Fault('VALIDATION_ERROR', 'cursor belongs to a listing that began too long ago: start again without it')
}

const placeOf = ({ sortValue, venue, id, versions }: CatalogPosition): PagePlace & { versions: Versions } => ({
  rank: sortValue === null ? Number.POSITIVE_INFINITY : 0 - Number(sortValue),
  venue,
  id,
  versions,
})

const positionOf = ({ rank, venue, id }: PagePlace, versions: Versions): CatalogPosition => ({
  sortValue: rank === Number.POSITIVE_INFINITY ? null : 0 - rank,
  venue,
  id,
  versions,
})
