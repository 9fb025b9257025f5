import { predictfun as manifest } from '#venues/predictfun/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const predictfun: VenueCase = {
  manifest,
  lab: 'predictfun',
  markets: ({ predictfun: { engine, listing } }) => marketsOf(engine, listing.markets, ({ id }) => String(id)),
  // Resolved categories are hundreds of thousands and change no more.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: '999999999', outcomeId: '999999999:1' },
}
