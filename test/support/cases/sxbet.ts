import { randomUUID } from 'node:crypto'
import { sxbet as manifest } from '#venues/sxbet/index'
import { marketsOf, type VenueCase } from './venueCase.ts'

const unknown = `0x${'0'.repeat(64)}`

export const sxbet: VenueCase<typeof manifest> = {
  manifest,
  lab: 'sxbet',
  markets: ({ sxbet: { engine, listing } }) => marketsOf(engine, listing.markets, ({ marketHash }) => marketHash),
  // The venue lists markets that accept bets; others are found by their hash.
  walked: ({ status }) => (status === 'open' ? 'active' : null),
  hasQuotes: false,
  unknown: { marketId: unknown, outcomeId: `${unknown}:1` },
  status: { secrets: [() => ({ apiKey: `key-${randomUUID()}` })] },
}
