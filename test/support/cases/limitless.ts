import { limitless as manifest } from '#venues/limitless/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const limitless: VenueCase = {
  manifest,
  lab: 'limitless',
  markets: ({ limitless: { engine, listing } }) => marketsOf(engine, listing.markets, ({ slug }) => slug),
  // No list has what is resolved.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: 'no-such-market-1779980360817', outcomeId: 'no-such-market-1779980360817:yes' },
}
