// Converts rows of the public catalog to the form of the GraphQL's, whose rows also have volume, quotes and last prices. Pure.
import { isoOfTime, numberOf, textOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import type { NovigBooks, NovigEvent, NovigMarket } from '../wire.ts'
import type { CatalogBook, CatalogEvent, CatalogMarket } from '../wireCatalog.ts'
import type { KnownMarket } from './outcomeMarkets.ts'

export const eventOf = ({ eventId, description, status, sport, league, startsTs }: CatalogEvent): NovigEvent => ({
  id: eventId,
  description,
  status,
  sport,
  game: { scheduled_start: isoOfTime(timeOfEpoch(startsTs, 'ms')), league },
  markets: [],
})

/** `more`: the same market's row of the GraphQL, if it was read. */
export function marketOf(raw: CatalogMarket, more: NovigMarket | undefined): NovigMarket {
  const outcomes = new Map(more?.outcomes.map((outcome) => [outcome.id, outcome]))
  return {
    id: raw.marketId,
    description: raw.description,
    status: raw.status,
    type: raw.marketType,
    strike: numberOf(raw.strike),
    volume: more?.volume,
    is_consensus: more?.is_consensus,
    updated_at: more?.updated_at,
    player: more?.player,
    voids: raw.voids,
    fee: raw.fee,
    outcomes: ordered(raw).map(({ outcomeId, name, status }, index) => ({
      id: outcomeId,
      index,
      description: name,
      status,
      last: outcomes.get(outcomeId)?.last,
      available: outcomes.get(outcomeId)?.available,
    })),
  }
}

/** The catalog's order changes from read to read; the GraphQL's is the home side, or the one over the line, first: it is what the market is named for. */
function ordered({ outcomes, description }: CatalogMarket): CatalogMarket['outcomes'] {
  const rank = (name: string | undefined): number => {
    if (name === undefined) return 2
    if (/^(?:over|yes)\b/i.test(name)) return 0
    if (/^(?:under|no)\b/i.test(name)) return 2
    return description.startsWith(name) ? 0 : 1
  }
  return outcomes.toSorted(
    (a, b) => rank(textOf(a.name)) - rank(textOf(b.name)) || (a.outcomeId < b.outcomeId ? -1 : 1),
  )
}

/** Null when it is of another market, or names an outcome that the market does not have. An outcome without orders may be left out. */
export function booksOf({ marketId, orders }: CatalogBook, market: KnownMarket): NovigBooks | null {
  if (marketId !== market.marketId) return null
  if (Object.keys(orders).some((outcomeId) => !market.outcomes.includes(outcomeId))) return null
  return {
    id: marketId,
    outcomes: market.outcomes.map((id) => ({
      id,
      last: null,
      orders: (orders[id] ?? []).map((order) => ({ status: 'OPEN', currency: 'CASH', ...order })),
    })),
  }
}
