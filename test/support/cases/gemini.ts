import { gemini as manifest } from '#venues/gemini/index'
import { everything, marketsOf, type VenueCase } from './venueCase.ts'

export const gemini: VenueCase = {
  manifest,
  lab: 'gemini',
  markets: ({ gemini: { engine, listing } }) => marketsOf(engine, listing.contracts, ({ symbol }) => symbol),
  walked: everything,
  unknown: { marketId: 'GEMI-NOSUCH261231-AAA', outcomeId: 'GEMI-NOSUCH261231-AAA' },
}
