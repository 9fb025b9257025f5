// External dependencies of paper accounts.
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { BookAvailability } from '#orders/conditional/index'
import type { Market } from '#schemas/market'
import type { PaperStore } from '#storage/postgres/paper/store'
import type { BookRef, VenueManifest } from '#venues/venue'

export interface PaperSettings {
  /** Cash in every venue and currency at the start, decimal string. */
  startCash: string
}

/** What a paper order needs beyond the store. */
export interface PaperTrading {
  store: PaperStore
  settings: PaperSettings
  /** Throws CATALOG_UNAVAILABLE. */
  findMarket(venue: string, marketId: string): Promise<Market | null>
  /** Null: the venue has no such book. */
  bookOf(venue: string, outcomeId: string, marketId: string): BookRef | null
  /** Whether the market has a book of its own that is live now. */
  availability(venue: string, marketId: string, outcomeId: string): Promise<BookAvailability>
  feeModel(venue: string, market: Market): ReturnType<VenueManifest['data']['feeModel']>
  clock: Clock
}

export interface PaperRouteDeps {
  paper: {
    store: PaperStore
    settings: PaperSettings
    cursors: CursorCodec
    clock: Clock
    newId(): string
  }
}
