// Markets whose answer follows from a market's or implies it: hedges that are no equals.
import { z } from 'zod'
import type { MatchRelation } from '#schemas/matches'
import { MatchRow, matchAnswer } from '../crossVenue/matchRows.ts'
import { marketLookup, matchFilters, relationsOf, sorting } from '../crossVenue/query.ts'
import { readMatches } from '../crossVenue/readMatches.ts'
import { defineVerb, type Verb } from '../defineVerb.ts'

const related: readonly MatchRelation[] = ['subset', 'superset']

export const fetchRelatedMarkets = defineVerb({
  name: 'fetchRelatedMarkets',
  summary: 'Markets on other venues that can only be YES when this one is (subset), or must be (superset)',
  args: [{ name: 'params', kind: 'object' }],
  query: z.object({ ...marketLookup, ...matchFilters, ...sorting }),
  data: z.array(MatchRow),
  router: 'only',
  credits: 2,
  errors: ['MATCHES_UNAVAILABLE', 'MARKET_NOT_FOUND', 'CLUSTER_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
  async handle({ query, exchange }, markets) {
    const relations = relationsOf(query, related)
    const { rows, limit } = await readMatches(markets, exchange, query, relations)
    return matchAnswer(markets, rows, limit)
  },
})

/** The older name. */
export const fetchHedges: Verb = { ...fetchRelatedMarkets, name: 'fetchHedges', summary: 'Same as fetchRelatedMarkets' }
