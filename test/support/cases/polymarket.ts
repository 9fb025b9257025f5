import { polymarket as manifest } from '#venues/polymarket/index'
import { eventsNotOver, marketsOf, type VenueCase } from './venueCase.ts'

export const polymarket: VenueCase = {
  manifest,
  lab: 'polymarket',
  markets: ({ polymarket: { engine, listing } }) =>
    marketsOf(
      engine,
      listing.markets,
      ({ id }) => id,
      ({ event }) => event.markets,
    ),
  walked: eventsNotOver,
  unknown: { marketId: '999999999', outcomeId: '1'.repeat(77) },
}
