// Connects the exposure of accounts to the catalog, the venues' fees and the matcher's relations.
import { sidesOf } from '#arbitrage/pairsFromMatches'
import type { Relation } from '#arbitrage/structures/index'
import type { CursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import { pairRelation } from '#matching/relate/pairRelation'
import type { ExposureDeps, MarketFacts } from '#portfolio/exposure/index'
import type { PortfolioReader } from '#portfolio/ports'
import type { Market } from '#schemas/market'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import { findRelationsAround } from '#storage/postgres/portfolio/relations'
import type { RunningVenue } from './venues.ts'

/** Parsed in one go, so that the event loop is never held for long. */
const marketsPerRead = 100

export interface ExposureOptions {
  pool: Pool
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  portfolio: PortfolioReader
  cursors: CursorCodec
}

export function openExposure({ pool, venues, portfolio, cursors }: ExposureOptions): ExposureDeps {
  const served = new Map(venues.map(({ manifest: { slug, data } }) => [slug as string, data]))

  function factsOf(venue: string, market: Market): MarketFacts {
    const { yes, no } = sidesOf(market)
    return {
      eventId: market.eventId,
      outcomes: market.outcomes.map(({ outcomeId }) => outcomeId),
      sides:
        yes === null || no === null || market.outcomes.length > 2 ? null : { yes: yes.outcomeId, no: no.outcomeId },
      paysWhole: market.sourceMetadata.marketType !== 'scalar',
      settlesFree: served.get(venue)?.feeModel(market).settlementFee.kind === 'none',
    }
  }

  return {
    portfolio,
    async findMarkets(markets) {
      const facts = new Map<string, MarketFacts>()
      for (let from = 0; from < markets.length; from += marketsPerRead) {
        const some = markets.slice(from, from + marketsPerRead)
        const rows = await asUnavailable('CATALOG_UNAVAILABLE', findMarketsByIds<Market>(pool, some))
        for (const { venue, id, doc } of rows) facts.set(`${venue}:${id}`, factsOf(venue, doc))
      }
      return facts
    },
    async findRelations(markets) {
      const found = await asUnavailable('MATCHES_UNAVAILABLE', findRelationsAround<Relation>(pool, markets))
      if (found === null) throw new Fault('MATCHES_UNAVAILABLE', 'the matcher has not finished its first run yet')
      const pairs = found.pairs.flatMap((pair) => pairRelation(pair) ?? [])
      return { relations: [...pairs, ...found.events], isCut: found.isCut }
    },
    cursors,
  }
}
