import { novig as manifest } from '#venues/novig/index'
import { eventsNotOver, marketsOf, type VenueCase } from './venueCase.ts'

export const novig: VenueCase = {
  manifest,
  lab: 'novig',
  markets: ({ novig: { engine, listing } }) =>
    marketsOf(
      engine,
      listing.markets,
      ({ id }) => id,
      ({ event }) => event.markets,
    ),
  walked: eventsNotOver,
  unknown: {
    marketId: 'ffffffff-ffff-4fff-afff-ffffffffffff',
    outcomeId: 'eeeeeeee-eeee-4eee-aeee-eeeeeeeeeeee',
  },
}
