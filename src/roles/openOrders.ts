// Connects the route of open orders to the venues' public reads and the catalog.
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import { AccountReads, type OpenOrdersDeps } from '#orders/openOrders/index'
import { findKnownMarkets } from '#storage/postgres/catalog/findKnownMarkets'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import type { RunningVenue } from './venues.ts'

export interface OpenOrdersOptions {
  pool: Pool
  venues: readonly RunningVenue[]
  cursors: CursorCodec
  clock: Clock
}

export function openOpenOrders({ pool, venues: running, cursors, clock }: OpenOrdersOptions): OpenOrdersDeps {
  const venues = new Map(running.map(({ manifest: { slug, data }, context }) => [slug as string, { data, context }]))
  return {
    venues,
    reads: new AccountReads({ venues, clock }),
    findKnown: (venue, marketIds) => asUnavailable('CATALOG_UNAVAILABLE', findKnownMarkets(pool, venue, marketIds)),
    cursors,
  }
}
