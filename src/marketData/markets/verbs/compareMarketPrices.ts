// One question's price on every venue that asks it.
import { z } from 'zod'
import type { MatchRelation } from '#schemas/matches'
import { MatchRow, matchAnswer } from '../crossVenue/matchRows.ts'
import { MatchesQuery, relationsOf } from '../crossVenue/query.ts'
import { readMatches } from '../crossVenue/readMatches.ts'
import { topOfBook } from '../crossVenue/topOfBook.ts'
import { defineVerb } from '../defineVerb.ts'
import { qualify } from '../qualifiedIds.ts'

const identity: readonly MatchRelation[] = ['identity']

export const compareMarketPrices = defineVerb({
  name: 'compareMarketPrices',
  summary:
    'Best prices of YES on every other venue that asks exactly the same; the market’s own in meta.source; without a market, all such pairs',
  args: [{ name: 'params', kind: 'object' }],
  query: MatchesQuery,
  data: z.array(MatchRow),
  router: 'only',
  heavy: true,
  credits: 2,
  rowsPerCredit: 50,
  errors: ['MATCHES_UNAVAILABLE', 'MARKET_NOT_FOUND', 'CLUSTER_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
  async handle({ query, exchange }, markets) {
    const relations = relationsOf(query, identity)
    const { rows, limit, sources } = await readMatches(markets, exchange, query, relations)
    const [source] = sources ?? []
    const own =
      source === undefined || sources?.length !== 1
        ? {}
        : {
            source: {
              venue: source.sourceExchange,
              marketId: qualify(source.sourceExchange, source.marketId),
              ...topOfBook(markets, source, true),
            },
          }
    return matchAnswer(markets, rows, limit, own)
  },
})
