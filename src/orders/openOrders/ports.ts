// External dependencies of accounts' open orders.
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { PublicOpenOrder, VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

/** A venue that is built and enabled. */
export interface OrdersVenue {
  data: Pick<VenueData, 'openOrders'>
  context: VenueContext
}

/** Sorted, newest first. */
export interface AccountOrders {
  orders: readonly PublicOpenOrder[]
  asOfMs: number
  /** Read for an earlier call. */
  cached: boolean
}

export interface OpenOrdersDeps {
  /** By slug. */
  venues: ReadonlyMap<string, OrdersVenue>
  reads: { read(venue: string, account: string): Promise<AccountOrders> }
  /** The ones among these markets that are in our catalog. */
  findKnown(venue: string, marketIds: readonly string[]): Promise<ReadonlySet<string>>
  cursors: CursorCodec
}

export interface OpenOrdersRouteDeps {
  openOrders: OpenOrdersDeps
}

export interface AccountReadsOptions {
  venues: OpenOrdersDeps['venues']
  clock: Clock
}
