import { polymarketUs as manifest } from '#venues/polymarket_us/index'
import { eventsNotOver, marketsOf, type VenueCase } from './venueCase.ts'

export const polymarketUs: VenueCase = {
  manifest,
  lab: 'polymarket_us',
  markets: ({ polymarket_us: { engine, listing } }) =>
    marketsOf(
      engine,
      listing.markets,
      ({ slug }) => slug,
      ({ event }) => event.markets,
    ),
  walked: eventsNotOver,
  unknown: { marketId: 'no-such-market', outcomeId: 'no-such-market:long' },
}
