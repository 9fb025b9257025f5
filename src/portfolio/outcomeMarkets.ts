// Markets of outcomes that a venue names without them.
import type { Catalog } from '#marketData/catalog/catalog'
import type { Market } from '#schemas/market'

/** Outcomes of one venue that are looked up; further ones have no market. */
const lookupsMax = 200

/** By outcome; an id that several markets use names none of them. The catalog reads all in a few statements. Throws CATALOG_UNAVAILABLE. */
export async function findOutcomeMarkets(
  catalog: Pick<Catalog, 'findOutcomes'>,
  venue: string,
  outcomeIds: readonly string[],
): Promise<Map<string, Market>> {
  const wanted = [...new Set(outcomeIds)].slice(0, lookupsMax)
  // Lookups share statements if they are made in one turn.
  const caller = {}
  const found = await Promise.all(wanted.map((outcomeId) => catalog.findOutcomes(venue, outcomeId, caller)))
  const markets = new Map<string, Market>()
  for (const [i, outcomeId] of wanted.entries()) {
    const [row, ...others] = found[i]!
    if (row !== undefined && others.length === 0) markets.set(outcomeId, row.market)
  }
  return markets
}
