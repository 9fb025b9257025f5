import { opinion as manifest } from '#venues/opinion/index'
import { everything, marketsOf, type VenueCase } from './venueCase.ts'

export const opinion: VenueCase = {
  manifest,
  lab: 'opinion',
  markets: ({ opinion: { engine, listing } }) => marketsOf(engine, listing.markets, ({ id }) => String(id)),
  walked: everything,
  hasQuotes: false,
  unknown: { marketId: '999999999', outcomeId: `999999999:${'1'.repeat(77)}` },
}
