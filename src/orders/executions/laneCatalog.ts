// The catalog as lanes use it: exactly one outcome, or the reason why not.

import { Fault } from '#core/fault'
import type { Catalog } from '#marketData/catalog/catalog'
import type { Market } from '#schemas/market'
import type { LaneCatalog, ResolvedOutcome } from '#venues/lane'

/** `current`: reads a market from its venue; absent where venues cannot be read. */
export function createLaneCatalog(
  catalog: Pick<Catalog, 'findOutcomes' | 'findMarket'> & Partial<Pick<Catalog, 'findEvents'>>,
  venue: string,
  current?: NonNullable<LaneCatalog['current']>,
): LaneCatalog {
  return {
    ...(current !== undefined && { current }),
    ...(catalog.findEvents !== undefined && {
      async event(eventId: string) {
        const filter = { venues: [venue], eventId, status: 'all' as const }
        const { rows } = await catalog.findEvents!({ filter, sort: 'newest', limit: 1 })
        return rows[0] ?? null
      },
    }),
    async outcome(outcomeId, marketId) {
      const rows = (await catalog.findOutcomes(venue, outcomeId)).filter(
        ({ market }) => marketId === undefined || market.marketId === marketId,
      )
      if (rows.length === 0)
        throw new Fault('OUTCOME_NOT_FOUND', 'the catalog has no such outcome', { exchange: venue })
      if (rows.length > 1)
        throw new Fault('VALIDATION_ERROR', 'the outcome id exists in several markets: give the market as well')
      const { market } = rows[0]!
      return resolved(
        market,
        market.outcomes.findIndex((outcome) => outcome.outcomeId === outcomeId),
      )
    },
    async side(marketId, side) {
      const market = await catalog.findMarket(venue, marketId)
      if (market === null) throw new Fault('MARKET_NOT_FOUND', 'the catalog has no such market', { exchange: venue })
      return resolved(market, side === 'YES' ? 0 : 1)
    },
  }
}

function resolved(market: Market, at: number): ResolvedOutcome {
  if (market.outcomes.length !== 2)
    throw new Fault('VALIDATION_ERROR', 'the market is not binary: it has no YES and NO')
  const outcome = market.outcomes[at]
  if (outcome === undefined) throw new Fault('OUTCOME_NOT_FOUND', 'the catalog has no such outcome')
  return { market, outcome, side: at === 0 ? 'YES' : 'NO' }
}
