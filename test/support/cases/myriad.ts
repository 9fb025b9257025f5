import { nameOf } from '#lab/myriad/listing'
import { myriad as manifest } from '#venues/myriad/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

export const myriad: VenueCase = {
  manifest,
  lab: 'myriad',
  markets: ({ myriad: { engine, listing } }) => marketsOf(engine, listing.markets, nameOf),
  // What is resolved is most of it, and changes no more.
  walked: ({ status }) => (status === 'resolved' ? null : statusWords[status]),
  unknown: { marketId: '56:ob:999999', outcomeId: '56:ob:999999:0' },
}
