// A run's answer as rows to be stored: clusters with their question and members, and every pair somebody may ask about. Pure.
import type { MatchRelation } from '#schemas/matches'
import type { ClusterRow, MatchPairRow } from '#storage/postgres/matching/index'
import type { Cluster, MatchEdge, Override } from './cluster.ts'
import { compose } from './compose.ts'
import type { MatchInput } from './input.ts'
import type { Polarity } from './match.ts'
import type { MatchRun } from './run.ts'

/** Pairs outside of clusters that are stored of one market, the best first. */
const looseMax = 10

export interface StoredRows {
  clusters: ClusterRow[]
  pairs: MatchPairRow[]
}

export function storedRows(
  run: MatchRun,
  inputs: ReadonlyMap<string, MatchInput>,
  overrides: readonly Override[],
): StoredRows {
  const words = new Map(overrides.map((word) => [pairKey(word.a, word.b), word]))
  const edges = new Map(run.edges.map((edge) => [pairKey(edge.a, edge.b), edge]))
  const inside = new Set<string>()
  const pairs: MatchPairRow[] = []
  const clusters = run.clusters.map((cluster): ClusterRow => {
    for (const [a, b, polarity] of pairsOf(cluster)) {
      const key = pairKey(a, b)
      inside.add(key)
      const edge = edges.get(key)
      const judged = edge?.relation === undefined ? run.judge(a, b) : edge
      pairs.push(
        rowOf(
          { ...judged, relation: judged.relation ?? 'overlap', relationBand: judged.relationBand ?? null },
          inputs,
          words.get(key),
          cluster.id,
          polarity,
        ),
      )
    }
    return {
      id: cluster.id,
      question: compose(inputs.get(cluster.members[0]!.key)!),
      members: cluster.members.map(({ key, polarity }) => {
        const { venue, marketId } = inputs.get(key)!
        return { venue, market_id: marketId, polarity }
      }),
    }
  })
  for (const edge of loose(run.edges, inside))
    pairs.push(rowOf(edge, inputs, words.get(pairKey(edge.a, edge.b)), null, null))
  return { clusters, pairs }
}

/** Polarity of a pair inside a cluster follows from its members': the matcher may not have judged it. */
function* pairsOf({ members }: Cluster): Iterable<[a: string, b: string, polarity: Polarity]> {
  for (const [at, one] of members.entries()) {
    for (const other of members.slice(at + 1))
      yield [one.key, other.key, one.polarity === other.polarity ? 'same' : 'inverse']
  }
}

function loose(edges: readonly MatchEdge[], inside: ReadonlySet<string>): Required<MatchEdge>[] {
  const counts = new Map<string, number>()
  const kept: Required<MatchEdge>[] = []
  const sorted = edges
    .filter((edge): edge is Required<MatchEdge> => edge.relation !== undefined && !inside.has(pairKey(edge.a, edge.b)))
    .sort(
      (x, y) =>
        (y.result.matchScore ?? 0) - (x.result.matchScore ?? 0) || compareText(x.a, y.a) || compareText(x.b, y.b),
    )
  for (const edge of sorted) {
    const [a, b] = [counts.get(edge.a) ?? 0, counts.get(edge.b) ?? 0]
    if (a >= looseMax || b >= looseMax) continue
    counts.set(edge.a, a + 1)
    counts.set(edge.b, b + 1)
    kept.push(edge)
  }
  return kept
}

function rowOf(
  { a, b, result, relation, relationBand }: Required<MatchEdge>,
  inputs: ReadonlyMap<string, MatchInput>,
  word: Override | undefined,
  clusterId: string | null,
  polarity: Polarity | null,
): MatchPairRow {
  const [one, two] = [inputs.get(a)!, inputs.get(b)!]
  const turned = one.venue > two.venue
  const [first, second] = turned ? [two, one] : [one, two]
  const judged = {
    a_venue: first.venue,
    a_market_id: first.marketId,
    b_venue: second.venue,
    b_market_id: second.marketId,
    cluster_id: clusterId,
    score: result.matchScore,
    band: result.matchBand,
    polarity: polarity ?? result.polarity,
    relation: turned ? turn(relation) : relation,
    relation_band: relationBand,
    differences: result.matchDifferences,
    resolution: result.resolution,
    resolution_equivalence: result.resolutionEquivalence,
    override: word?.kind === 'forbid' ? ('forbidden' as const) : null,
  }
  return word?.kind === 'pin' ? pinned(judged, word) : judged
}

/** What an operator pinned is one question for everybody downstream; what the matcher thinks of it stays readable. */
function pinned(row: MatchPairRow, word: Override): MatchPairRow {
  const polarity = word.polarity ?? 'same'
  return {
    ...row,
    score: 100,
    band: 'verified',
    polarity,
    relation: polarity === 'inverse' ? 'complement' : 'identity',
    relation_band: 'verified',
    differences: [],
    resolution: {
      compatible: true,
      reason: `pinned by an operator: ${word.reason}`,
      auditReasons: [
        `the matcher says ${row.band}${row.score === null ? '' : ` (${row.score})`}: ${row.resolution.reason}`,
        ...row.differences.map(({ detail }) => detail),
      ],
    },
    resolution_equivalence: 'verified',
    override: 'pinned',
  }
}

const turns: Partial<Record<MatchRelation, MatchRelation>> = { subset: 'superset', superset: 'subset' }
const turn = (relation: MatchRelation): MatchRelation => turns[relation] ?? relation
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
