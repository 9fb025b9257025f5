// Resolves what a caller names to the single outcome that is meant.
import { Fault } from '#core/fault'
import type { Market, Outcome } from '#schemas/market'
import type { OutcomeRef } from '#venues/venue'
import type { Catalog, OutcomeRow, VenueReads } from './ports.ts'

/** The catalog's row. Throws Fault OUTCOME_NOT_FOUND. */
export async function findOutcome(catalog: Catalog, venue: VenueReads, outcomeId: string): Promise<OutcomeRow> {
  const [row] = venue.data.bookRef(outcomeId) === null ? [] : await catalog.findOutcomes(venue.slug, outcomeId)
  if (row === undefined) throw new Fault('OUTCOME_NOT_FOUND', 'no such outcome', { exchange: venue.slug })
  return row
}

/** What a venue function needs to know about an outcome. */
export const outcomeRef = ({ outcome, market }: OutcomeRow): OutcomeRef => ({
  outcomeId: outcome.outcomeId,
  marketId: market.marketId,
  eventId: market.eventId,
  metadata: { ...market.sourceMetadata, ...outcome.metadata },
})

/** `yes`, `no`, or an outcome id, of one market. Labels decide; on a two-sided market without such labels yes is the first. */
export function outcomeOf(market: Market, which: string): Outcome | null {
  const byId = market.outcomes.find((outcome) => outcome.outcomeId === which)
  if (byId !== undefined) return byId
  const word = which.toLowerCase()
  const byLabel = market.outcomes.find((outcome) => outcome.label.toLowerCase() === word)
  if (byLabel !== undefined) return byLabel
  if (market.outcomes.length !== 2) return null
  return word === 'yes' ? market.outcomes[0]! : word === 'no' ? market.outcomes[1]! : null
}

/** The outcome of a market given by id. */
export async function outcomeOfMarket(
  catalog: Catalog,
  venue: VenueReads,
  marketId: string,
  which: string,
): Promise<string> {
  const market = await catalog.findMarket(venue.slug, marketId)
  if (market === null) throw new Fault('MARKET_NOT_FOUND', 'no such market', { exchange: venue.slug })
  const outcome = outcomeOf(market, which)
  if (outcome === null)
    throw new Fault('OUTCOME_NOT_FOUND', 'this market has no such outcome', { exchange: venue.slug })
  return outcome.outcomeId
}

/** The yes or no outcome of the same market; the id may also be the market's own. */
export async function sideOfOutcome(
  catalog: Catalog,
  venue: VenueReads,
  id: string,
  side: 'yes' | 'no',
): Promise<string> {
  const [row] = await catalog.findOutcomes(venue.slug, id)
  if (row === undefined) return outcomeOfMarket(catalog, venue, id, side)
  const outcome = outcomeOf(row.market, side)
  if (outcome === null)
    throw new Fault('OUTCOME_NOT_FOUND', 'this market has no such outcome', { exchange: venue.slug })
  return outcome.outcomeId
}
