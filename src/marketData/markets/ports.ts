// External dependencies of market data: the catalog, the tape, the live books, the venues' reads, and the demand that keeps a book
// live.
import type { ArbitrageQuery, CompatRow, MarketOf } from '#arbitrage/fetchArbitrage'
import type { SizedRows } from '#arbitrage/surfaceView'
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { Log } from '#core/log'
import type { OutcomeFacts } from '#history/outcomeStats'
import type { MarketHistory } from '#history/tape'
import type { Catalog } from '#marketData/catalog/catalog'
import type { Matches } from '#matching/matches'
import type { ArbitrageRow } from '#schemas/arbitrage'
import type { BookUpdate } from '#schemas/topics'
import type { VenueData, VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

export type { MarketHistory } from '#history/tape'
export type {
  Catalog,
  CatalogFilter,
  CatalogPageOf,
  CatalogPosition,
  CatalogSort,
  OutcomeRow,
} from '#marketData/catalog/catalog'

/** A venue that is built and enabled: its manifest's data half with the context for its functions. */
export interface VenueReads {
  slug: string
  /** Further parts of its manifest. */
  manifest: Pick<VenueManifest, 'title' | 'exec' | 'deposit' | 'traders'>
  data: VenueData
  volume24h: VenueManifest['volume24h']
  context: VenueContext
}

/** The newest books of this process, and the two transformations of their bytes that need no parsing. */
export interface LiveBooks {
  get(venue: string, bookId: string): BookUpdate | undefined
  /** Has a book delivered here for a while; absent where every watched book is here anyway. */
  want?(venue: string, bookId: string): void
  /** The other side's view of a core. */
  complement(core: Buffer): Buffer
  /** The best `levels` per side of a core. */
  limit(core: Buffer, levels: number): Buffer
}

/** The arbitrage surface as this process can show it. */
export interface SurfaceReads {
  /** Of the published rows. */
  contracts: number
  validContracts(contracts: number): boolean
  /** Why a filter on these venues cannot be answered, null when it can. */
  unknownVenue(requested: readonly string[] | undefined, served: readonly string[]): string | null
  /** Throws Fault ARBITRAGE_UNAVAILABLE while no rows may be shown. `contracts` absent: the published size. */
  read(contracts: number | undefined, query: ArbitrageQuery): Promise<SizedRows & { venuesLeftOut: number | null }>
  compat(row: ArbitrageRow, marketOf: MarketOf): CompatRow
}

export interface MarketsPorts {
  catalog: Catalog
  /** Null when this process has no tape. */
  tape: MarketHistory | null
  /** Price changes and coverage for list rows. Null when this process has no tape. */
  facts: OutcomeFacts | null
  /** Markets asking the same question on several venues. Null when this process does not have them. */
  matches: Matches | null
  books: LiveBooks
  /** Absent when the surface is switched off. */
  arbitrage?: SurfaceReads | undefined
  /** Asks ingest to watch a market for a while, so that the next read is live. Returns at once. */
  demand: { hold(venue: string, bookId: string): void }
  /** By slug; only built, enabled venues. */
  venues: ReadonlyMap<string, VenueReads>
  cursors: CursorCodec
  /** Lab venues stand in for the real ones. */
  lab?: boolean
  clock: Clock
  log: Log
}
