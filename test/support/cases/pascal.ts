import { pascal as manifest } from '#venues/pascal/index'
import { marketsOf, type VenueCase } from './venueCase.ts'

export const pascal: VenueCase = {
  manifest,
  lab: 'pascal',
  markets: ({ pascal: { engine, listing } }) => marketsOf(engine, listing.markets, ({ symbol }) => symbol),
  // The venue knows no state between open and resolved, and lists resolved ones only to who names them.
  walked: ({ status }) => (status === 'resolved' ? null : 'active'),
  unknown: { marketId: 'NOSUCH_26.AAA', outcomeId: 'NOSUCH_26.AAA' },
}
