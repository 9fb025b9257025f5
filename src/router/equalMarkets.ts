// The markets on which an outcome can be traded as well: those whose questions are verified to be equal, or opposite.
import { Fault } from '#core/fault'
import type { StoredCluster, StoredMatch } from '#schemas/matches'
import { keyOf, type MarketName, type RouterDeps } from './ports.ts'

export type AnswerSide = 'yes' | 'no'

/** The answer of a market that is worth the same. */
export interface EqualMarket extends MarketName {
  side: AnswerSide
}

export interface EqualMarkets {
  /** The requested market first. */
  equal: EqualMarket[]
  /** In its cluster, and not verified to be equal. */
  unverified: MarketName[]
}

export const opposite = (side: AnswerSide): AnswerSide => (side === 'yes' ? 'no' : 'yes')

export const isVerified = ({ band, resolutionEquivalence, override }: StoredMatch): boolean =>
  band === 'verified' && resolutionEquivalence === 'verified' && override !== 'forbidden'

export async function equalToMarket(
  { clusters }: Pick<RouterDeps, 'clusters'>,
  market: EqualMarket,
): Promise<EqualMarkets> {
  const cluster = await clusters.findClusterOf(market.venue, market.marketId)
  if (cluster === null) return { equal: [market], unverified: [] }
  return equalIn(cluster, market)
}

/** `side`: of the cluster's question. */
export async function equalInCluster(
  deps: Pick<RouterDeps, 'clusters'>,
  clusterId: string,
  side: AnswerSide,
): Promise<EqualMarkets> {
  const cluster = await findCluster(deps, clusterId)
  // The market that most others are verified to equal.
  const verified = cluster.pairs.filter(isVerified).flatMap(({ a, b }) => [keyOf(a), keyOf(b)])
  const countOf = (market: MarketName): number => verified.filter((key) => key === keyOf(market)).length
  const [first, ...others] = cluster.members
  if (first === undefined) return { equal: [], unverified: [] }
  const reference = others.reduce((best, member) => (countOf(member) > countOf(best) ? member : best), first)
  const own = reference.polarity === 'same' ? side : opposite(side)
  return equalIn(cluster, { venue: reference.venue, marketId: reference.marketId, side: own })
}

export async function findCluster({ clusters }: Pick<RouterDeps, 'clusters'>, id: string): Promise<StoredCluster> {
  const cluster = await clusters.findCluster(id)
  if (cluster === null) throw new Fault('CLUSTER_NOT_FOUND', 'no such cluster')
  return cluster
}

function equalIn({ members, pairs }: StoredCluster, market: EqualMarket): EqualMarkets {
  const key = keyOf(market)
  const own = members.find((member) => keyOf(member) === key)
  const verified = new Set(
    pairs
      .filter(isVerified)
      .flatMap(({ a, b }) => (keyOf(a) === key ? [keyOf(b)] : keyOf(b) === key ? [keyOf(a)] : [])),
  )
  const found: EqualMarkets = { equal: [market], unverified: [] }
  for (const member of members) {
    const { venue, marketId, polarity } = member
    if (keyOf(member) === key) continue
    const side = polarity === own?.polarity ? market.side : opposite(market.side)
    if (verified.has(keyOf(member))) found.equal.push({ venue, marketId, side })
    else found.unverified.push({ venue, marketId })
  }
  return found
}
