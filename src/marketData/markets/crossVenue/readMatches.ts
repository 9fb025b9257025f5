// Rows of the verbs that return markets for a market: the same question, or a related one.
import type { MatchRelation } from '#schemas/matches'
import type { Exchange } from '../exchange.ts'
import type { Markets } from '../markets.ts'
import { findSourceMarkets, type MarketLookup, venuesOf } from './lookup.ts'
import { keyOf, matchRow, refOf } from './matchRows.ts'
import { matchesLimitMax } from './query.ts'
import { matchesOf } from './requireMatches.ts'

export interface MatchesQuery extends MarketLookup {
  query?: string | undefined
  category?: string | undefined
  minConfidence: number
  minDifference?: number | undefined
  sort: 'confidence' | 'volume' | 'priceDifference'
  limit: number
  includePrices: boolean
}

/** For the named market, or the best overall. */
export async function readMatches(
  markets: Markets,
  exchange: Exchange,
  query: MatchesQuery,
  relations: readonly MatchRelation[],
) {
  const matches = matchesOf(markets)
  // Fails before the catalog is read when there are no matches to answer from.
  await matches.state()
  const sources = await findSourceMarkets(markets, exchange, query)
  const limit = Math.min(query.limit, matchesLimitMax)
  const found = await matches.find({
    relations,
    minConfidence: query.minConfidence,
    venues: venuesOf(exchange),
    ...(sources === null ? {} : { of: sources.map(refOf) }),
    ...(query.query === undefined ? {} : { query: query.query }),
    ...(query.category === undefined ? {} : { category: query.category }),
    ...(query.minDifference === undefined ? {} : { minDifference: query.minDifference }),
    sort: query.sort,
    limit,
  })
  const keys = sources === null ? null : new Set(sources.map(keyOf))
  const withSource = sources?.length !== 1
  const rows = found.map((pair) =>
    matchRow(markets, exchange, pair, keys, { includePrices: query.includePrices, withSource }),
  )
  return { rows, limit, sources }
}
