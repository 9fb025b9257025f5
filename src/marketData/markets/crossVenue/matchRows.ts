// A found pair as a row: from the side of the requested market, with the matcher's reasons.
import { z } from 'zod'
import type { ScoredPair } from '#matching/matches'
import { MatchDifference } from '#schemas/arbitrage'
import type { Market } from '#schemas/market'
import { type MatchRelation, matchRelations } from '#schemas/matches'
import { MatchBand } from '#schemas/structures'
import type { VerbAnswer } from '../defineVerb.ts'
import type { Exchange } from '../exchange.ts'
import { toIso } from '../fields.ts'
import type { Markets } from '../markets.ts'
import { presentMarket } from '../qualifiedIds.ts'
import { MarketRow } from '../verbs/shapes.ts'
import { Hedge, hedgesOf, reasonOf } from './hedges.ts'
import { matchesOf } from './requireMatches.ts'
import { emptyPrices, topOfBook } from './topOfBook.ts'

export const Verdict = z.object({
  /** Of the row's market to the requested one: `subset` can only be Yes when that one is. */
  relation: z.enum(matchRelations),
  /** Confidence in the relation: `verified` can be relied on. On `overlap` the band of being one question; null when unknown. */
  relationBand: MatchBand.nullable(),
  /** What follows from the relation, and what it leaves open. */
  relationReason: z.string(),
  /** Hedges that the row's market offers for the requested one; empty when nothing follows. */
  hedges: z.array(Hedge),
  /** 0 to 1: match score / 100. */
  confidence: z.number(),
  reasoning: z.string(),
  /** `inverse`: YES of one is NO of the other. */
  polarity: z.enum(['same', 'inverse']),
  matchScore: z.number().int().nullable(),
  matchBand: MatchBand,
  matchDifferences: z.array(MatchDifference),
  resolution: z.object({ compatible: z.boolean(), reason: z.string(), auditReasons: z.array(z.string()) }),
  resolutionEquivalence: z.string(),
  /** Null for a pair that is not one question. */
  clusterId: z.string().nullable(),
  /** An operator's verdict. */
  override: z.enum(['pinned', 'forbidden']).nullable(),
})
export type Verdict = z.infer<typeof Verdict>

export const MatchRow = Verdict.extend({
  market: MarketRow,
  /** Of the market. */
  venue: z.string(),
  /** When more than one market was requested. */
  sourceMarket: MarketRow.optional(),
  /** Of the market's YES. */
  bestBid: z.number().nullable(),
  bestAsk: z.number().nullable(),
}).meta({ id: 'Match' })

const turned: Partial<Record<MatchRelation, MatchRelation>> = { subset: 'superset', superset: 'subset' }

/** `relation` from a to b when `of` is a. */
export function verdictOf({ match, clusterId }: ScoredPair, of: 'a' | 'b'): Verdict {
  const { score, band, polarity, differences, resolution, resolutionEquivalence, override } = match
  const relation = of === 'a' ? match.relation : (turned[match.relation] ?? match.relation)
  const relationBand = match.relationBand ?? null
  return {
    relation,
    relationBand,
    relationReason: reasonOf(relation, relationBand, differences),
    hedges: hedgesOf(relation),
    confidence: (score ?? 0) / 100,
    reasoning: differences.length === 0 ? resolution.reason : differences.map(({ detail }) => detail).join('; '),
    polarity,
    matchScore: score,
    matchBand: band,
    matchDifferences: differences,
    resolution,
    resolutionEquivalence,
    clusterId,
    override,
  }
}

export interface RowOptions {
  includePrices: boolean
  /** Show which market was requested. */
  withSource: boolean
}

/**
 * `sources`: keys of the requested markets; the row shows the other side. When browsing, b counts as the requested one.
 */
export function matchRow(
  markets: Markets,
  exchange: Exchange,
  found: ScoredPair,
  sources: ReadonlySet<string> | null,
  { includePrices, withSource }: RowOptions,
) {
  const otherIsA = isCatchAll(found, sources)
  const [market, source] = otherIsA ? [found.a, found.b] : [found.b, found.a]
  return {
    market: presentMarket(exchange, market),
    venue: market.sourceExchange,
    ...(withSource ? { sourceMarket: presentMarket(exchange, source) } : {}),
    ...verdictOf(found, otherIsA ? 'a' : 'b'),
    ...(includePrices ? topOfBook(markets, market, sources !== null) : emptyPrices),
  }
}

/** Whether a is the market shown next to the requested one. */
export const isCatchAll = ({ a }: ScoredPair, sources: ReadonlySet<string> | null): boolean =>
  sources === null || !sources.has(keyOf(a))

export const keyOf = ({ sourceExchange, marketId }: Market): string => `${sourceExchange}:${marketId}`

export const refOf = ({ sourceExchange, marketId }: Market) => ({ venue: sourceExchange, marketId })

/** `asOf` is when the matcher last finished; prices may be newer. */
export async function matchAnswer(
  markets: Markets,
  data: readonly unknown[],
  limit: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<VerbAnswer> {
  const { runId, finishedAt } = await matchesOf(markets).state()
  return { data, asOf: toIso(finishedAt), source: 'matcher', meta: { limit, runId, ...more } }
}
