// Markets related to a market without being equivalent: each row lists what they hedge.
import { z } from 'zod'
import type { MatchRelation } from '#schemas/matches'
import { MatchRow, matchAnswer } from '../crossVenue/matchRows.ts'
import { MatchesQuery, relationsOf } from '../crossVenue/query.ts'
import { readMatches } from '../crossVenue/readMatches.ts'
import { defineVerb, type Method } from '../defineVerb.ts'

/** All relations that hedge without being the same answer. */
const hedging: readonly MatchRelation[] = ['complement', 'subset', 'superset', 'disjoint']
/** The default that clients of this verb expect when they name no relation. */
const implied: readonly MatchRelation[] = ['subset', 'superset']

const relatedMarkets = (name: string, summary: string, unasked: readonly MatchRelation[]): Method =>
  defineVerb({
    name,
    summary,
    args: [{ name: 'params', kind: 'object' }],
    query: MatchesQuery,
    data: z.array(MatchRow),
    router: 'only',
    heavy: true,
    credits: 2,
    rowsPerCredit: 50,
    errors: ['MATCHES_UNAVAILABLE', 'MARKET_NOT_FOUND', 'CLUSTER_NOT_FOUND', 'CATALOG_UNAVAILABLE'],
    async handle({ query, exchange }, markets) {
      const hasRelations = query.relation !== undefined || query.relations !== undefined
      const relations = hasRelations ? relationsOf(query, hedging) : unasked
      const { rows, limit } = await readMatches(markets, exchange, query, relations)
      return matchAnswer(markets, rows, limit)
    },
  })

export const fetchRelatedMarkets = relatedMarkets(
  'fetchRelatedMarkets',
  'Markets on other venues that can only be YES when this one is (subset), or must be (superset); complement and disjoint when requested',
  implied,
)

export const fetchHedges = relatedMarkets(
  'fetchHedges',
  'Markets on other venues that hedge this one, by relation (complement, subset, superset, disjoint), each with the answers it hedges',
  hedging,
)
