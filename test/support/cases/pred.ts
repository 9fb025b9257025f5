import { pred as manifest } from '#venues/pred/index'
import { marketsOf, statusWords, type VenueCase } from './venueCase.ts'

const nobody = `0x${'0'.repeat(63)}1`

export const pred: VenueCase = {
  manifest,
  lab: 'pred',
  markets: ({ pred: { engine, listing } }) =>
    marketsOf(engine, listing.children, ({ id, parent }) => `${parent.id}-${id}`),
  // The venue has no word that we know for a market between open and resolved.
  walked: ({ status }) => (status === 'closed' ? 'unknown' : statusWords[status]),
  tellsWinner: false,
  unknown: { marketId: `${nobody}-${nobody}`, outcomeId: `${nobody}-${nobody}-long` },
}
