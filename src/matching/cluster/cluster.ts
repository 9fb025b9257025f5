// From pairs to clusters: markets that ask the same question, at most one per venue, under an id that survives re-runs. Pure functions over plain
// data.
import type { MatchRelation } from '#schemas/matches'
import type { MatchBand, MatchResult, Polarity } from '../match.ts'
import { nameGroups, type PreviousCluster } from './clusterIds.ts'

export { clusterId, type PreviousCluster } from './clusterIds.ts'

export interface ClusterMarket {
  /** marketKey of the market. */
  key: string
  venue: string
  /** A closed market leaves its cluster. */
  closed?: boolean
}

export interface MatchEdge {
  a: string
  b: string
  result: MatchResult
  /** Relation of a's Yes to b's Yes; absent if not determined. */
  relation?: MatchRelation
  /** Of the relation; null if none is known. */
  relationBand?: MatchBand | null
}

/**
 * An operator's override of a pair; it takes precedence over the matcher. A later one on the same pair replaces the
 * earlier.
 */
export interface Override {
  a: string
  b: string
  kind: 'pin' | 'forbid'
  reason: string
  /** Only used for pins; `same` when missing. */
  polarity?: Polarity
}

export interface ClusterMember {
  key: string
  venue: string
  /** Relative to the first member. */
  polarity: Polarity
}

export interface Cluster {
  id: string
  /** Sorted by key; the first has polarity `same`. */
  members: ClusterMember[]
  /** Pairs that hold it together and those between its members that were only compared. */
  edges: ClusterEdge[]
}

export interface ClusterEdge {
  a: string
  b: string
  matchScore: number | null
  matchBand: MatchBand
  polarity: Polarity
  /** Reason of the operator's pin, null if the matcher decided. */
  pinned: string | null
}

export interface ClusterOptions {
  /** Bands whose pairs join markets. */
  bands?: readonly MatchBand[]
  /** Called for a pair of members that was not compared; without it such a pair is no obstacle. */
  comparePair?: (a: string, b: string) => MatchResult
}

/** Bands whose pairs join markets by default. */
export const joiningBands: readonly MatchBand[] = ['verified', 'minor']

type Open = ReadonlyMap<string, Pick<ClusterMarket, 'venue'>>

interface Group {
  members: Map<string, { venue: string; flipped: boolean }>
}

/** Clusters of two or more open markets, sorted by id. Independent of the input order. */
export function clusterMarkets(
  markets: readonly ClusterMarket[],
  edges: readonly MatchEdge[],
  overrides: readonly Override[] = [],
  previous: readonly PreviousCluster[] = [],
  options: ClusterOptions = {},
): Cluster[] {
  const open = new Map(markets.filter((market) => market.closed !== true).map((market) => [market.key, market]))
  const words = new Map(overrides.map((word) => [pairKey(word.a, word.b), word]))
  const compared = new Map(edges.map((edge) => [pairKey(edge.a, edge.b), edge]))
  const found = groupsOf(open, compared, words, options)
  const ids = nameGroups(found, previous)
  return found
    .map((members): Cluster => ({ id: ids.get(members)!, members, edges: edgesBetween(members, compared, words) }))
    .sort((x, y) => compareText(x.id, y.id))
}

/** Members of every group of two or more, sorted by key. Pairs that had to be compared are added to `compared`. */
export function groupsOf(
  open: Open,
  compared: Map<string, MatchEdge>,
  words: ReadonlyMap<string, Override>,
  options: ClusterOptions = {},
): ClusterMember[][] {
  const bands = new Set<MatchBand>(options.bands ?? joiningBands)
  const rules: Rules = { compared, words, bands, comparePair: options.comparePair }
  const groups = new Map<string, Group>()
  for (const join of joins(compared, words, bands)) {
    const left = groupOf(join.a, groups, open)
    const right = groupOf(join.b, groups, open)
    if (left === undefined || right === undefined) continue
    if (left === right || !mayJoin(left, right, join, rules)) continue
    merge(groups, left, right, join)
  }
  return [...new Set(groups.values())].filter((group) => group.members.size > 1).map(membersOf)
}

/** The group of a market, initially its own; undefined for a market that is not open. */
function groupOf(key: string, groups: Map<string, Group>, open: Open): Group | undefined {
  const known = groups.get(key)
  const market = open.get(key)
  if (known !== undefined || market === undefined) return known
  const own: Group = { members: new Map([[key, { venue: market.venue, flipped: false }]]) }
  groups.set(key, own)
  return own
}

interface Join {
  a: string
  b: string
  polarity: Polarity
  pinned: boolean
  score: number
}

/**
 * Pins first, then the matcher's pairs by descending certainty; ties by key, so that the input order does not matter.
 */
function joins(
  compared: ReadonlyMap<string, MatchEdge>,
  words: ReadonlyMap<string, Override>,
  bands: ReadonlySet<MatchBand>,
): Join[] {
  const list: Join[] = []
  for (const [key, word] of words) {
    if (word.kind === 'pin') list.push({ ...sides(key), polarity: word.polarity ?? 'same', pinned: true, score: 101 })
  }
  for (const [key, edge] of compared) {
    if (words.has(key) || !bands.has(edge.result.matchBand)) continue
    list.push({ ...sides(key), polarity: edge.result.polarity, pinned: false, score: edge.result.matchScore ?? 0 })
  }
  // At equal certainty `same` comes before `inverse`.
  const turned = (join: Join): number => (join.polarity === 'inverse' ? 1 : 0)
  return list.sort(
    (x, y) => y.score - x.score || turned(x) - turned(y) || compareText(x.a, y.a) || compareText(x.b, y.b),
  )
}

interface Rules {
  compared: Map<string, MatchEdge>
  words: ReadonlyMap<string, Override>
  bands: ReadonlySet<MatchBand>
  comparePair: ClusterOptions['comparePair']
}

function mayJoin(left: Group, right: Group, join: Join, { compared, words, bands, comparePair }: Rules): boolean {
  const flip = turns(left, right, join)
  const venues = new Set([...left.members.values()].map((member) => member.venue))
  for (const [key, member] of right.members) {
    if (venues.has(member.venue)) return false
    for (const [other, against] of left.members) {
      const pair = pairKey(key, other)
      const word = words.get(pair)
      if (word?.kind === 'forbid') return false
      if (word?.kind === 'pin') continue
      let edge = compared.get(pair)
      if (edge === undefined && comparePair !== undefined) {
        edge = { ...sides(pair), result: comparePair(key, other) }
        compared.set(pair, edge)
      }
      if (edge === undefined) continue
      // One clear "no" inside keeps two groups apart, and so does a pair with contradicting polarity.
      if (!bands.has(edge.result.matchBand) && !join.pinned) return false
      const turned = (member.flipped !== flip) !== against.flipped
      if (!join.pinned && bands.has(edge.result.matchBand) && turned !== (edge.result.polarity === 'inverse'))
        return false
    }
  }
  return true
}

/** Whether the right group must be inverted to join the left one. */
const turns = (left: Group, right: Group, join: Join): boolean =>
  ((left.members.get(join.a) ?? left.members.get(join.b))?.flipped !==
    (right.members.get(join.b) ?? right.members.get(join.a))?.flipped) !==
  (join.polarity === 'inverse')

function merge(groups: Map<string, Group>, left: Group, right: Group, join: Join): void {
  const flip = turns(left, right, join)
  for (const [key, member] of right.members) {
    left.members.set(key, { venue: member.venue, flipped: member.flipped !== flip })
    groups.set(key, left)
  }
}

function membersOf({ members }: Group): ClusterMember[] {
  const keys = [...members.keys()].sort(compareText)
  const lead = members.get(keys[0] as string)?.flipped === true
  return keys.map((key): ClusterMember => {
    const member = members.get(key) as { venue: string; flipped: boolean }
    return { key, venue: member.venue, polarity: member.flipped === lead ? 'same' : 'inverse' }
  })
}

function edgesBetween(
  members: readonly ClusterMember[],
  compared: ReadonlyMap<string, MatchEdge>,
  words: ReadonlyMap<string, Override>,
): ClusterEdge[] {
  const edges: ClusterEdge[] = []
  members.forEach(({ key: a }, at) => {
    for (const { key: b } of members.slice(at + 1)) {
      const word = words.get(pairKey(a, b))
      const edge = compared.get(pairKey(a, b))
      if (word === undefined && edge === undefined) continue
      edges.push({
        a,
        b,
        matchScore: edge?.result.matchScore ?? null,
        matchBand: edge?.result.matchBand ?? 'unscored',
        polarity: word?.kind === 'pin' ? (word.polarity ?? 'same') : (edge?.result.polarity ?? 'same'),
        pinned: word?.kind === 'pin' ? word.reason : null,
      })
    }
  })
  return edges
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** Market ids contain no line break. */
export const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
const sides = (key: string): { a: string; b: string } => {
  const [a = '', b = ''] = key.split('\n')
  return { a, b }
}
