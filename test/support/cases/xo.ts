import { xo as manifest } from '#venues/xo/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const xo: VenueCase = {
  manifest,
  lab: 'xo',
  markets: ({ xo: { engine, listing } }) => marketsOf(engine, listing.markets, ({ id }) => String(id)),
  // No list contains resolved markets.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: '999999999', outcomeId: `999999999.${'1'.repeat(77)}` },
}
