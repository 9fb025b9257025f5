import { kalshi as manifest } from '#venues/kalshi/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const kalshi: VenueCase = {
  manifest,
  lab: 'kalshi',
  markets: ({ kalshi: { engine, listing } }) => marketsOf(engine, listing.markets, ({ ticker }) => ticker),
  // Settled markets are millions and change no more.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: 'KXNOSUCH-99JAN01-T1', outcomeId: 'KXNOSUCH-99JAN01-T1' },
}
