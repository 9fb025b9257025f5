// The catalog interface for features. Postgres answers; only its adapter knows how.
import type { Event, Market, Outcome, Series } from '#schemas/market'
import type { UnseenQuery } from '#storage/postgres/catalog/findUnseenMarkets'

export interface CatalogFilter {
  /** Served venue slugs; the router passes all of them. */
  venues: readonly string[]
  status?: 'active' | 'inactive' | 'closed' | 'resolved' | 'all'
  query?: string
  searchIn?: 'title' | 'description' | 'both'
  slug?: string
  marketId?: string
  outcomeId?: string
  eventId?: string
  seriesId?: string
  category?: string
  /** Any match. */
  tags?: readonly string[]
}

export type CatalogSort = 'volume' | 'liquidity' | 'newest'

/**
 * Keyset position: the last row's sort value and id, as of the start of the walk. Signed into the opaque cursor by the HTTP layer, bound
 * to sort and filter.
 */
export interface CatalogPosition {
  sortValue: string | number | null
  venue: string
  id: string
  /** As of the start of the walk: the number of each venue's last write. Rows keep the order they had then. */
  versions: Readonly<Record<string, number>>
}

export interface CatalogPageOf<T> {
  rows: T[]
  /** Per row: the position from which a page after it continues. */
  positions: CatalogPosition[]
  /** Null on the last page. */
  next: CatalogPosition | null
  total: number
  /** Of a search that finds nothing: the nearest titles. */
  suggestions?: string[]
  /** When the oldest row of the page was last written from the venue, epoch ms. Null for an empty page. */
  asOf: number | null
}

export interface CatalogQuery {
  filter: CatalogFilter
  sort: CatalogSort
  limit: number
  /** Either a keyset position or an offset (older clients); never both. */
  after?: CatalogPosition
  offset?: number
}

export interface OutcomeRow {
  venue: string
  outcome: Outcome
  market: Market
}

export interface NamedMarket {
  market: Market
  by: 'id' | 'slug' | 'event'
}

export interface Catalog {
  findMarkets(query: CatalogQuery): Promise<CatalogPageOf<Market>>
  findEvents(query: CatalogQuery): Promise<CatalogPageOf<Event>>
  /** `asOf`: when the oldest of them was last reported by its venue, epoch ms; null for none. */
  findSeries(query: {
    venues: readonly string[]
    id?: string
    slug?: string
    query?: string
    recurrence?: string
    /** The last row of the previous page, in place of an offset. */
    after?: { venue: string; id: string }
    limit: number
    offset: number
  }): Promise<{ rows: Series[]; asOf: number | null }>
  /**
   * Every catalog row an outcome id names on that venue (usually one). `caller`: concurrent lookups are served round-robin by caller.
   */
  findOutcomes(venue: string, outcomeId: string, caller?: object): Promise<OutcomeRow[]>
  /** By another name than an outcome's: the market's id, else its slug, else its event (then the event's first market). `caller` as above. */
  findMarketNamed(venue: string, name: string, caller?: object): Promise<NamedMarket | null>
  findMarket(venue: string, marketId: string): Promise<Market | null>
  /** Many at once, by `venue:marketId`; unknown ones are missing. */
  findMarketsByIds(markets: readonly { venue: string; marketId: string }[]): Promise<ReadonlyMap<string, Market>>
  /** Idempotent; the newest `asOf` wins. Also refreshes `outcomes` and `series`. */
  upsertEvents(
    venue: string,
    events: readonly Event[],
    series: readonly Series[],
    asOf: number,
  ): Promise<{ events: number; markets: number; outcomes: number }>
  /** After a full walk at `now`, epoch ms: our own daily volumes of markets not reported for too long become unknown. Returns how many. */
  forgetVolumes(venue: string, now: number): Promise<number>
  /** Markets without a result that were not reported since then: trading ones first, the longest unreported first. */
  findUnseenMarkets(query: UnseenQuery): Promise<Market[]>
  /** Most active markets first, for the tape's pin list. */
  findMostActiveMarkets(venue: string, limit: number): Promise<Market[]>
}
