// Pairs of markets that ask the same question, by the difference of their prices.
import { z } from 'zod'
import { matchRelations } from '#schemas/matches'
import { venuesOf } from '../crossVenue/lookup.ts'
import { matchAnswer, Verdict, verdictOf } from '../crossVenue/matchRows.ts'
import { matchesLimitMax, matchFilters, relationsOf } from '../crossVenue/query.ts'
import { matchesOf } from '../crossVenue/requireMatches.ts'
import { defineVerb, type Method } from '../defineVerb.ts'
import { presentMarket } from '../qualifiedIds.ts'
import { MarketRow } from './shapes.ts'

const { query, category, relation, relations, minConfidence, limit } = matchFilters

export const fetchMatchedMarkets = defineVerb({
  name: 'fetchMatchedMarkets',
  summary:
    'The 5,000 most certain pairs of matched markets, widest price difference first; last prices of YES, before fees and depth',
  args: [{ name: 'params', kind: 'object' }],
  query: z
    .object({
      query,
      category,
      relation,
      relations,
      minConfidence,
      limit,
      /** Probability. */
      minDifference: z.number().min(0).max(1).default(0),
    })
    .meta({ examples: [{ minDifference: 0.05, limit: 10 }] }),
  data: z.array(
    Verdict.extend({
      marketA: MarketRow,
      marketB: MarketRow,
      venueA: z.string(),
      venueB: z.string(),
      priceA: z.number().nullable(),
      priceB: z.number().nullable(),
      /** Between the two prices of the same answer. */
      priceDifference: z.number().nullable(),
    }).meta({ id: 'MatchedPair' }),
  ),
  router: 'only',
  heavy: true,
  credits: 2,
  rowsPerCredit: 50,
  errors: ['MATCHES_UNAVAILABLE', 'CATALOG_UNAVAILABLE'],
  async handle({ query: given, exchange }, markets) {
    const rowsMax = Math.min(given.limit, matchesLimitMax)
    const matches = matchesOf(markets)
    await matches.state()
    const found = await matches.find({
      relations:
        given.relation === undefined && given.relations === undefined
          ? ['identity']
          : relationsOf(given, matchRelations),
      minConfidence: given.minConfidence,
      venues: venuesOf(exchange),
      ...(given.query === undefined ? {} : { query: given.query }),
      ...(given.category === undefined ? {} : { category: given.category }),
      minDifference: given.minDifference,
      sort: 'priceDifference',
      limit: rowsMax,
    })
    const rows = found.map((pair) => ({
      marketA: presentMarket(exchange, pair.a),
      marketB: presentMarket(exchange, pair.b),
      venueA: pair.a.sourceExchange,
      venueB: pair.b.sourceExchange,
      priceA: pair.aPrice,
      priceB: pair.bPrice,
      priceDifference: pair.difference,
      // From A to B.
      ...verdictOf(pair, 'a'),
    }))
    return matchAnswer(markets, rows, rowsMax)
  },
})

/** The older name. */
export const fetchMatchedPrices: Method = {
  ...fetchMatchedMarkets,
  name: 'fetchMatchedPrices',
  summary: 'Same as fetchMatchedMarkets',
}
