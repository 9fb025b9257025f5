// Markets of other venues that ask the same question as a market, or a related one.
import { z } from 'zod'
import { matchRelations } from '#schemas/matches'
import { MatchRow, matchAnswer } from '../crossVenue/matchRows.ts'
import { MatchesQuery, matchesLimitMax, relationsOf } from '../crossVenue/query.ts'
import { readMatches } from '../crossVenue/readMatches.ts'
import { defineVerb, type Method } from '../defineVerb.ts'

export const fetchMarketMatches = defineVerb({
  name: 'fetchMarketMatches',
  summary: `Markets on other venues that match one, with the matcher's reasons; without a market the best pairs; at most ${matchesLimitMax} rows`,
  args: [{ name: 'params', kind: 'object' }],
  query: MatchesQuery,
  data: z.array(MatchRow),
  router: 'only',
  heavy: true,
  credits: 2,
  rowsPerCredit: 50,
  errors: ['MATCHES_UNAVAILABLE', 'MARKET_NOT_FOUND', 'CLUSTER_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
  async handle({ query, exchange }, markets) {
    const relations = relationsOf(query, matchRelations)
    const { rows, limit } = await readMatches(markets, exchange, query, relations)
    return matchAnswer(markets, rows, limit)
  },
})

/** The older name. */
export const fetchMatches: Method = {
  ...fetchMarketMatches,
  name: 'fetchMatches',
  summary: 'Same as fetchMarketMatches',
}
