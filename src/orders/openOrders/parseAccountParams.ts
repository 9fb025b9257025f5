// Venues that show open orders: those whose manifest has the read. Reading from a chain also needs a node.
import { Fault } from '#core/fault'
import { type PublicOpenOrders, showsOpenOrders } from '#venues/venue'
import type { OpenOrdersDeps } from './ports.ts'

/** Throws VENUE_NOT_AVAILABLE, and ACCOUNTS_UNSUPPORTED for a served venue that does not show accounts. */
export function parseQuery(venues: OpenOrdersDeps['venues'], venue: string): PublicOpenOrders {
  const found = venues.get(venue)
  if (found === undefined)
    throw new Fault('VENUE_NOT_AVAILABLE', 'this venue is not available here', { exchange: venue })
  if (showsOpenOrders(found.data, found.context)) return found.data.openOrders!
  const words =
    found.data.openOrders === undefined
      ? 'this venue shows the open orders of an account only to its owner'
      : 'open orders of this venue are read from its chain, and no node is configured'
  throw new Fault('ACCOUNTS_UNSUPPORTED', words, { exchange: venue })
}
