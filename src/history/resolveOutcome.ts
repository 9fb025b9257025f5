// Resolves a request to an outcome of the tape. The catalog knows the ids; an id unknown to it is used as given.

import { Fault } from '#core/fault'
import type { Catalog } from '#marketData/catalog/catalog'
import type { Market, Outcome } from '#schemas/market'
import { withoutVenue } from '#schemas/venues'

/** A row of the catalog, as far as it names an outcome. */
export interface OutcomeNames {
  outcome: Pick<Outcome, 'outcomeId' | 'label'>
  market: Pick<Market, 'marketId' | 'eventId' | 'title' | 'slug' | 'contractAddress'>
}

export interface OutcomeCatalog extends Pick<Catalog, 'findMarket'> {
  findOutcomes(venue: string, outcomeId: string, caller?: object): Promise<OutcomeNames[]>
}

/** Every id of the outcome, the canonical one first, and its market if the catalog knows it. */
export interface ResolvedOutcome {
  outcomeIds: string[]
  marketId: string | undefined
}

export async function resolveOutcome(
  catalog: OutcomeCatalog,
  { venue, outcomeId, marketId }: { venue: string; outcomeId: string; marketId: string | null },
): Promise<ResolvedOutcome> {
  const rows = await findRows(catalog, venue, outcomeId)
  if (marketId !== null) return onMarket(catalog, venue, outcomeId, marketId, rows)
  const markets = new Set(rows.map((row) => row.market.marketId))
  if (markets.size > 1) throw refusal('outcomeId is ambiguous on this venue; pass marketId')
  return resolved(venue, outcomeId, rows)
}

/** Reads the id as every market read does: without its venue prefix; with it only if the bare id is unknown. */
async function findRows(catalog: OutcomeCatalog, venue: string, outcomeId: string): Promise<OutcomeNames[]> {
  for (const form of idForms(venue, outcomeId)) {
    const rows = await catalog.findOutcomes(venue, form)
    if (rows.length > 0) return rows
  }
  return []
}

async function onMarket(
  catalog: OutcomeCatalog,
  venue: string,
  outcomeId: string,
  marketId: string,
  rows: readonly OutcomeNames[],
): Promise<ResolvedOutcome> {
  const forms = new Set(idForms(venue, marketId))
  const matching = rows.filter((row) => namesOf(row).some((name) => forms.has(name)))
  if (matching.length > 0) return resolved(venue, outcomeId, matching)
  if (rows.length > 0) throw refusal('outcomeId does not resolve on marketId')
  // The catalog does not know the outcome. If it knows the market, all its outcomes are known and this is not one of them.
  for (const form of forms) {
    if ((await catalog.findMarket(venue, form)) !== null) throw refusal('outcomeId does not resolve on marketId')
  }
  throw refusal('marketId cannot be verified for this outcomeId')
}

const refusal = (message: string): Fault => new Fault('VALIDATION_ERROR', message)

const resolved = (venue: string, given: string, rows: readonly OutcomeNames[]): ResolvedOutcome => ({
  outcomeIds: [...new Set([...rows.map((row) => row.outcome.outcomeId), ...idForms(venue, given)])],
  marketId: rows[0]?.market.marketId,
})

/** Every name under which the API reports the row's market: alone, after its event, before the outcome. */
function namesOf({ market, outcome }: OutcomeNames): string[] {
  const own = [market.marketId, market.slug, market.contractAddress].filter((name) => name !== undefined)
  const compound = own.flatMap((name) =>
    [':', '/'].flatMap((mark) => [
      `${name}${mark}${outcome.outcomeId}`,
      ...(market.eventId === null ? [] : [`${market.eventId}${mark}${name}`]),
    ]),
  )
  // If outcomes are named after their market, the outcome's own id is such a name.
  const derived = own.some((name) => outcome.outcomeId.startsWith(`${name}:`)) ? [outcome.outcomeId] : []
  return [...own, ...compound, ...derived]
}

/** The id without its own venue prefix, and as given. Another venue's prefix stays and matches nothing. */
export function idForms(venue: string, id: string): string[] {
  const bare = withoutVenue(venue, id)
  return bare === id ? [id] : [bare, id]
}
