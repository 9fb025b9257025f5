import { hyperliquid as manifest } from '#venues/hyperliquid/index'
import { marketsOf, type VenueCase } from './venueCase.ts'

export const hyperliquid: VenueCase = {
  manifest,
  lab: 'hyperliquid',
  markets: ({ hyperliquid: { engine, listing } }) =>
    marketsOf(engine, listing.outcomes, ({ outcome }) => String(outcome)),
  // The venue knows no state between open and settled.
  walked: ({ status }) => (status === 'resolved' ? 'resolved' : 'active'),
  unknown: { marketId: '9999998', outcomeId: '#99999980' },
}
