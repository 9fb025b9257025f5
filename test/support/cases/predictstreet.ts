import { predictstreet as manifest } from '#venues/predictstreet/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const predictstreet: VenueCase = {
  manifest,
  lab: 'predictstreet',
  markets: ({ predictstreet: { engine, listing } }) => marketsOf(engine, listing.markets, ({ slug }) => slug),
  // The venue lists what is open or about to be.
  walked: ({ status }) => (status === 'open' ? statusWords[status] : null),
  unknown: { marketId: 'no-such-market', outcomeId: 'NO-SUCH-20261231:0' },
}
