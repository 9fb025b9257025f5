// Converts the matcher's clusters to the surface's input: each member with its books, its fees and its place in the catalog.
// Pure.
import type { MarketFees } from '#schemas/fees'
import type { Market, Outcome } from '#schemas/market'
import type { MarketRef, StoredCluster, StoredMatch } from '#schemas/matches'
import type { VenueData } from '#venues/venue'
import { type BookSource, type ClusterInput, type ClusterMember, matchBands, type PairFacts } from './cluster.ts'

/** The part of a venue's manifest needed here. */
export interface SurfaceVenue {
  data: Pick<VenueData, 'bookRef' | 'feeModel'>
  /** Its books are synthesized from a pool, odds or a spot price. */
  synthetic: boolean
}

export interface MatchSources {
  /** Undefined: the venue is not served by this deployment. */
  venueOf(venue: string): SurfaceVenue | undefined
  /** Undefined: unknown to the catalog (any more). */
  marketOf(venue: string, marketId: string): Market | undefined
}

/** A market's name across venues, as in router results. */
export const canonicalMarketId = (venue: string, marketId: string): string => `${venue}:${marketId}`

export function clusterInput(cluster: StoredCluster, sources: MatchSources): ClusterInput {
  const members = new Map<string, StoredCluster['members'][number]>()
  // Of several markets of one venue, the one with the best pair.
  for (const member of cluster.members) {
    const other = members.get(member.venue)
    if (other === undefined || bestRank(member, cluster.pairs) < bestRank(other, cluster.pairs))
      members.set(member.venue, member)
  }
  const kept = ({ venue, marketId }: MarketRef): boolean => members.get(venue)?.marketId === marketId
  // A pair is identified by its venues from here on: it must not refer to another market of the venue.
  const pairs = cluster.pairs.filter(({ a, b }) => kept(a) && kept(b))
  return {
    clusterId: cluster.clusterId,
    question: cluster.question,
    members: [...members.values()].map((member) => memberOf(member, pairs, sources)),
    pairs: pairs.map(pairOf),
  }
}

/** Smaller is better: by band, then by score. */
function bestRank({ venue, marketId }: MarketRef, pairs: readonly StoredMatch[]): number {
  const own = pairs.filter(({ a, b }) => [a, b].some((side) => side.venue === venue && side.marketId === marketId))
  return own.reduce(
    (best, { band, score }) => Math.min(best, matchBands.indexOf(band) * 1_000 + 100 - (score ?? 0)),
    Number.POSITIVE_INFINITY,
  )
}

function memberOf(
  { venue, marketId, polarity }: StoredCluster['members'][number],
  pairs: readonly StoredMatch[],
  { venueOf, marketOf }: MatchSources,
): ClusterMember {
  const served = venueOf(venue)
  const market = marketOf(venue, marketId)
  const known = served !== undefined && market !== undefined
  const { yes, no } = known ? sidesOf(market) : { yes: null, no: null }
  const book = (outcome: Outcome | null): BookSource | null =>
    known && outcome !== null ? sourceOf(served, market, outcome) : null
  const { fee, settlementFee } = known ? served.data.feeModel(market) : unknownFees
  return {
    venue,
    canonicalMarketId: canonicalMarketId(venue, marketId),
    marketId,
    yesBook: book(yes),
    noBook: book(no),
    polarity,
    fee,
    settlementFee,
    similarity: similarityOf(venue, marketId, pairs),
    ...(served === undefined ? { dark: true } : {}),
  }
}

const unknownFees: MarketFees = {
  fee: { kind: 'unknown', reason: 'the market is not in the catalog' },
  settlementFee: { kind: 'unknown', reason: 'the market is not in the catalog' },
}

/** The venue's own YES and NO: by their labels, else the first and second of exactly two. */
export function sidesOf({ outcomes }: Market): { yes: Outcome | null; no: Outcome | null } {
  const labelled = (label: string): Outcome | undefined =>
    outcomes.find((outcome) => outcome.label.toLowerCase() === label)
  const yes = labelled('yes')
  const no = labelled('no')
  if (yes !== undefined && no !== undefined) return { yes, no }
  return outcomes.length === 2 ? { yes: outcomes[0]!, no: outcomes[1]! } : { yes: null, no: null }
}

export function sourceOf({ data, synthetic }: SurfaceVenue, market: Market, outcome: Outcome): BookSource | null {
  const ref = data.bookRef(outcome.outcomeId, market.marketId)
  if (ref === null) return null
  const madeUp = synthetic || market.sourceMetadata.synthetic === true
  return { bookId: ref.bookId, complement: ref.complement, ...(madeUp ? { synthetic: true } : {}) }
}

/** The best of the member's own pairs: how close it is to anything in its cluster. */
function similarityOf(venue: string, marketId: string, pairs: readonly StoredMatch[]): number | null {
  const scores = pairs
    .filter(({ a, b }) => [a, b].some((side) => side.venue === venue && side.marketId === marketId))
    .flatMap(({ score }) => (score === null ? [] : [score]))
  return scores.length === 0 ? null : Math.max(...scores) / 100
}

const pairOf = ({ a, b, score, band, differences, resolution, resolutionEquivalence }: StoredMatch): PairFacts => ({
  a: a.venue,
  b: b.venue,
  similarity: score === null ? null : score / 100,
  matchScore: score,
  matchBand: band,
  matchDifferences: differences,
  resolution,
  resolutionEquivalence,
})
