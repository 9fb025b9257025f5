// A run's result as rows to be stored: clusters with their question and members, and every pair that may be queried. Pure.
import type { MatchRelation } from '#schemas/matches'
import type { ClusterRow, MatchPairRow } from '#storage/postgres/matching/index'
import type { Polarity } from '../match.ts'
import { compose } from '../read/eventQuestion.ts'
import type { MatchInput } from '../read/input.ts'
import { type ClusterMember, compareText, type MatchEdge, type Override, type PreviousCluster } from './cluster.ts'
import { nameGroups } from './clusterIds.ts'
import type { Group, PairStore, RetainedQuestion } from './pairStore.ts'

/** Stored pairs outside of clusters per market, best first. */
const looseMax = 10

export interface StoredRows {
  clusters: ClusterRow[]
  pairs: MatchPairRow[]
}

/** The rows' input. */
export interface Sources {
  inputs: ReadonlyMap<string, MatchInput>
  previous: readonly PreviousCluster[]
  /** Pairs that certainly exclude each other. */
  rivals?: readonly Required<MatchEdge>[]
  /** The matcher's verdict on any two of the markets, by their keys. */
  comparePair(a: string, b: string): Required<MatchEdge>
}

/** Clusters sorted by id, their pairs in the same order, then the others. Rows made before are reused if unchanged. */
export function toRows(pairStore: PairStore, sources: Sources): StoredRows {
  const { groups } = pairStore
  const ids = nameGroups(
    groups.map(({ members }) => members),
    sources.previous,
  )
  const idOf = ({ members }: Group): string => ids.get(members)!
  groups.sort((x, y) => compareText(idOf(x), idOf(y)))
  const clusters: ClusterRow[] = []
  const pairs: MatchPairRow[] = []
  for (const group of groups) {
    const id = idOf(group)
    if (group.rows?.cluster.id !== id) group.rows = groupRows(group, id, pairStore, sources)
    clusters.push(group.rows.cluster)
    for (const row of group.rows.pairs) pairs.push(row)
  }
  for (const pair of loose(pairStore.pairs)) {
    const { edge } = pair
    const word = pairStore.wordOn(edge)
    if (word !== undefined) pairs.push(rowOf(edge, sources.inputs, word, null, null))
    else {
      pair.row ??= rowOf(edge, sources.inputs, undefined, null, null)
      pairs.push(pair.row)
    }
  }
  for (const edge of sources.rivals ?? []) {
    // An operator may have joined them into one question.
    if (pairStore.between(edge.a, edge.b) !== undefined || pairStore.areOne(edge.a, edge.b)) continue
    pairs.push(rivalRow(edge, sources.inputs, pairStore.wordOn(edge)))
  }
  return { clusters, pairs }
}

/** Cached rows of rivals, of which there are many and few change. */
const rivalRows = new WeakMap<Required<MatchEdge>, MatchPairRow>()

function rivalRow(
  edge: Required<MatchEdge>,
  inputs: ReadonlyMap<string, MatchInput>,
  word: Override | undefined,
): MatchPairRow {
  const known = word === undefined ? rivalRows.get(edge) : undefined
  if (known !== undefined) return known
  const row = rowOf(edge, inputs, word, null, null)
  if (word === undefined) rivalRows.set(edge, row)
  return row
}

function groupRows(
  { members }: Group,
  id: string,
  pairStore: PairStore,
  { inputs, comparePair }: Sources,
): NonNullable<Group['rows']> {
  const pairs = [...pairsOf(members)].map(([a, b, polarity]) =>
    rowOf(pairStore.between(a, b) ?? comparePair(a, b), inputs, pairStore.wordOn({ a, b }), id, polarity),
  )
  const question = compose(inputs.get(members[0]!.key)!)
  const memberRows = members.map(({ key, polarity }) => {
    const { venue, marketId } = inputs.get(key)!
    return { venue, market_id: marketId, polarity }
  })
  return { cluster: { id, question, members: memberRows }, pairs }
}

/** Polarity of a pair inside a cluster follows from its members': the matcher may not have compared it. */
function* pairsOf(members: readonly ClusterMember[]): Iterable<[a: string, b: string, polarity: Polarity]> {
  for (const [at, one] of members.entries()) {
    for (const other of members.slice(at + 1))
      yield [one.key, other.key, one.polarity === other.polarity ? 'same' : 'inverse']
  }
}

/** Of those outside of clusters, given most certain first. */
function loose(pairs: readonly RetainedQuestion[]): RetainedQuestion[] {
  for (const { a, b } of pairs) {
    a.loose = 0
    b.loose = 0
  }
  return pairs.filter(({ a, b }) => {
    if ((a.group !== null && a.group === b.group) || a.loose >= looseMax || b.loose >= looseMax) return false
    a.loose++
    b.loose++
    return true
  })
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
  const row = {
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
  return word?.kind === 'pin' ? pinned(row, word) : row
}

/** A pinned pair is one question for everything downstream; the matcher's verdict stays readable. */
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
