import { rain as manifest } from '#venues/rain/index'
import { everything, marketsOf, type VenueCase } from './venueCase.ts'

const nobodys = `0x${'0'.repeat(39)}1`

export const rain: VenueCase = {
  manifest,
  lab: 'rain',
  markets: ({ rain: { engine, listing } }) =>
    marketsOf(engine, listing.options, ({ pool, option }) => `${pool.address}:${option}`),
  walked: everything,
  // A pool is asked for a quote, not listed with one.
  hasQuotes: false,
  tellsWinner: false,
  unknown: { marketId: `${nobodys}:1`, outcomeId: `${nobodys}:1:1` },
}
