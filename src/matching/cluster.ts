// Pairs to clusters: markets of one question, at most one of a venue, under an id that outlives re-runs. Pure functions over plain data.
import { createHash } from 'node:crypto'
import type { MatchRelation } from '#schemas/matches'
import type { MatchBand, MatchResult, Polarity } from './match.ts'

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
  /** How Yes of a stands to Yes of b; left out where nobody asked. */
  relation?: MatchRelation
  /** Of the relation; null where none is known. */
  relationBand?: MatchBand | null
}

/** An operator's word on a pair; it beats the matcher. A later word on the same pair replaces the earlier. */
export interface Override {
  a: string
  b: string
  kind: 'pin' | 'forbid'
  reason: string
  /** Only read for pins; `same` when missing. */
  polarity?: Polarity
}

export interface ClusterMember {
  key: string
  venue: string
  /** Against the first member. */
  polarity: Polarity
}

export interface Cluster {
  id: string
  /** Sorted by key; the first carries polarity `same`. */
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
  /** Reason of the operator's pin, null where the matcher decided. */
  pinned: string | null
}

export interface ClusterOptions {
  /** Bands whose pairs join markets. */
  bands?: readonly MatchBand[]
  /** Asked about a pair of members nobody compared; without it such a pair is no obstacle. */
  judge?: (a: string, b: string) => MatchResult
}

export interface PreviousCluster {
  id: string
  members: readonly { key: string }[]
}

interface Group {
  members: Map<string, { venue: string; flipped: boolean }>
}

/** Clusters of two or more open markets, sorted by id. The same input in any order gives the same answer. */
export function clusterMarkets(
  markets: readonly ClusterMarket[],
  edges: readonly MatchEdge[],
  overrides: readonly Override[] = [],
  previous: readonly PreviousCluster[] = [],
  options: ClusterOptions = {},
): Cluster[] {
  const bands = new Set<MatchBand>(options.bands ?? ['verified', 'minor'])
  const open = new Map(markets.filter((market) => market.closed !== true).map((market) => [market.key, market]))
  const words = new Map(overrides.map((word) => [pairKey(word.a, word.b), word]))
  const compared = new Map(edges.map((edge) => [pairKey(edge.a, edge.b), edge]))
  const rules: Rules = { compared, words, bands, judge: options.judge }
  const groups = new Map<string, Group>()
  for (const join of joins(compared, words, bands)) {
    const left = groupOf(join.a, groups, open)
    const right = groupOf(join.b, groups, open)
    if (left === undefined || right === undefined) continue
    if (left === right || !mayJoin(left, right, join, rules)) continue
    merge(groups, left, right, join)
  }
  const found = [...new Set(groups.values())].filter((group) => group.members.size > 1)
  return named(found, previous, compared, words)
}

/** The group a market stands in, at first its own; undefined for a market that is not open. */
function groupOf(key: string, groups: Map<string, Group>, open: ReadonlyMap<string, ClusterMarket>): Group | undefined {
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

/** Pins first, then the matcher's pairs from the surest down; ties by key, so that order of input means nothing. */
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
  // Of two as sure the identical goes before the opposite.
  const turned = (join: Join): number => (join.polarity === 'inverse' ? 1 : 0)
  return list.sort(
    (x, y) => y.score - x.score || turned(x) - turned(y) || compareText(x.a, y.a) || compareText(x.b, y.b),
  )
}

interface Rules {
  compared: Map<string, MatchEdge>
  words: ReadonlyMap<string, Override>
  bands: ReadonlySet<MatchBand>
  judge: ClusterOptions['judge']
}

function mayJoin(left: Group, right: Group, join: Join, { compared, words, bands, judge }: Rules): boolean {
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
      if (edge === undefined && judge !== undefined) {
        edge = { ...sides(pair), result: judge(key, other) }
        compared.set(pair, edge)
      }
      if (edge === undefined) continue
      // One plain "no" inside keeps two groups apart, and so does a pair that turns Yes the other way round.
      if (!bands.has(edge.result.matchBand) && !join.pinned) return false
      const turned = (member.flipped !== flip) !== against.flipped
      if (!join.pinned && bands.has(edge.result.matchBand) && turned !== (edge.result.polarity === 'inverse'))
        return false
    }
  }
  return true
}

/** Whether the right group's own sense has to be turned to stand in the left group's. */
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

/** A group keeps the id under which most of its members stood; where two groups want one id, the larger share keeps it. */
function named(
  groups: readonly Group[],
  previous: readonly PreviousCluster[],
  compared: ReadonlyMap<string, MatchEdge>,
  words: ReadonlyMap<string, Override>,
): Cluster[] {
  const before = new Map<string, string>()
  for (const cluster of previous) for (const member of cluster.members) before.set(member.key, cluster.id)
  const claims: { group: Group; id: string; share: number; first: string }[] = []
  for (const group of groups) {
    const shares = new Map<string, number>()
    for (const key of group.members.keys()) {
      const id = before.get(key)
      if (id !== undefined) shares.set(id, (shares.get(id) ?? 0) + 1)
    }
    const first = [...group.members.keys()].sort(compareText)[0] as string
    for (const [id, share] of shares) claims.push({ group, id, share, first })
  }
  claims.sort((x, y) => y.share - x.share || compareText(x.first, y.first) || compareText(x.id, y.id))
  const ids = new Map<Group, string>()
  const taken = new Set<string>()
  for (const claim of claims) {
    if (ids.has(claim.group) || taken.has(claim.id)) continue
    ids.set(claim.group, claim.id)
    taken.add(claim.id)
  }
  const clusters: Cluster[] = []
  const used = new Set(previous.map((cluster) => cluster.id))
  const firsts = groups.map((group) => ({ group, first: firstKey(group) }))
  for (const { group, first } of firsts.sort((x, y) => compareText(x.first, y.first))) {
    const id = ids.get(group) ?? freshId(first, taken, used)
    taken.add(id)
    clusters.push(clusterOf(id, group, compared, words))
  }
  return clusters.sort((x, y) => compareText(x.id, y.id))
}

const firstKey = (group: Group): string => [...group.members.keys()].sort(compareText)[0] as string

/** Hash of the smallest member key. One already in use, now or before, is never given to another group. */
function freshId(key: string, taken: ReadonlySet<string>, used: ReadonlySet<string>): string {
  for (let round = 0; ; round++) {
    const id = clusterId(round === 0 ? key : `${key}#${round}`)
    if (!taken.has(id) && !used.has(id)) return id
  }
}

/** No colon: row ids append `:<venueA>:<venueB>`. */
export const clusterId = (key: string): string => `c_${createHash('sha256').update(key).digest('hex').slice(0, 20)}`

function clusterOf(
  id: string,
  group: Group,
  compared: ReadonlyMap<string, MatchEdge>,
  words: ReadonlyMap<string, Override>,
): Cluster {
  const keys = [...group.members.keys()].sort(compareText)
  const lead = group.members.get(keys[0] as string)?.flipped === true
  const members = keys.map((key): ClusterMember => {
    const member = group.members.get(key) as { venue: string; flipped: boolean }
    return { key, venue: member.venue, polarity: member.flipped === lead ? 'same' : 'inverse' }
  })
  const edges: ClusterEdge[] = []
  keys.forEach((a, at) => {
    for (const b of keys.slice(at + 1)) {
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
  return { id, members, edges }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** Market ids hold no line break. */
const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
const sides = (key: string): { a: string; b: string } => {
  const [a = '', b = ''] = key.split('\n')
  return { a, b }
}
