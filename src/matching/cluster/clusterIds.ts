// Cluster ids that survive re-runs.
import { createHash } from 'node:crypto'

export interface PreviousCluster {
  id: string
  members: readonly { key: string }[]
}

/** Sorted by key. */
type Members = readonly { key: string }[]

interface Claim {
  group: Members
  id: string
  share: number
}

/**
 * A group keeps the id of the cluster that most of its members were in; if two groups want one id, the larger share keeps
 * it.
 */
export function nameGroups(
  groups: readonly Members[],
  previous: readonly PreviousCluster[],
): ReadonlyMap<Members, string> {
  const ids = new Map<Members, string>()
  const taken = new Set<string>()
  for (const claim of settled(groups, previous)) {
    if (ids.has(claim.group) || taken.has(claim.id)) continue
    ids.set(claim.group, claim.id)
    taken.add(claim.id)
  }
  const nameless = groups.filter((group) => !ids.has(group))
  if (nameless.length === 0) return ids
  const used = new Set(previous.map((cluster) => cluster.id))
  for (const group of nameless.sort((x, y) => compareText(firstKey(x), firstKey(y)))) {
    const id = freshId(firstKey(group), taken, used)
    ids.set(group, id)
    taken.add(id)
  }
  return ids
}

/** Claims in the order in which they are granted. Most groups want an id no other group wants: only the others have to be ranked. */
function settled(groups: readonly Members[], previous: readonly PreviousCluster[]): Claim[] {
  const [stayed, moved] = stayedAlike(groups, previous)
  const before = new Map<string, string>()
  for (const cluster of moved) for (const member of cluster.members) before.set(member.key, cluster.id)
  const wanted = new Map<string, number>()
  const alone: Claim[] = []
  const ranked: Claim[] = []
  for (const group of groups) {
    if (stayed.has(group)) continue
    const claims = claimsOf(group, before)
    for (const { id } of claims) wanted.set(id, (wanted.get(id) ?? 0) + 1)
    for (const claim of claims) (claims.length === 1 ? alone : ranked).push(claim)
  }
  const [free, contested] = [[] as Claim[], ranked]
  for (const claim of alone) (wanted.get(claim.id) === 1 ? free : contested).push(claim)
  contested.sort(
    (x, y) => y.share - x.share || compareText(firstKey(x.group), firstKey(y.group)) || compareText(x.id, y.id),
  )
  return [...stayed.values(), ...free, ...contested]
}

/**
 * Groups with exactly the members of one cluster, in the same order: no other group can want its id. And the clusters that are
 * left.
 */
function stayedAlike(
  groups: readonly Members[],
  previous: readonly PreviousCluster[],
): [stayed: Map<Members, Claim>, moved: PreviousCluster[]] {
  const byFirst = new Map<string, Members>()
  for (const group of groups) byFirst.set(firstKey(group), group)
  const stayed = new Map<Members, Claim>()
  const moved: PreviousCluster[] = []
  for (const cluster of previous) {
    const group = byFirst.get(cluster.members[0]?.key ?? '')
    if (group === undefined || !sameMembers(group, cluster.members) || stayed.has(group)) moved.push(cluster)
    else stayed.set(group, { group, id: cluster.id, share: group.length })
  }
  return [stayed, moved]
}

function sameMembers(group: Members, members: Members): boolean {
  return group.length === members.length && group.every(({ key }, at) => key === members[at]!.key)
}

function claimsOf(group: Members, before: ReadonlyMap<string, string>): Claim[] {
  const claims: Claim[] = []
  for (const { key } of group) {
    const id = before.get(key)
    if (id === undefined) continue
    const known = claims.find((claim) => claim.id === id)
    if (known === undefined) claims.push({ group, id, share: 1 })
    else known.share++
  }
  return claims
}

const firstKey = (group: Members): string => group[0]!.key

/** Hash of the smallest member key. An id in use, now or before, is never given to another group. */
function freshId(key: string, taken: ReadonlySet<string>, used: ReadonlySet<string>): string {
  for (let round = 0; ; round++) {
    const id = clusterId(round === 0 ? key : `${key}#${round}`)
    if (!taken.has(id) && !used.has(id)) return id
  }
}

/** No colon: row ids append `:<venueA>:<venueB>`. */
export const clusterId = (key: string): string => `c_${createHash('sha256').update(key).digest('hex').slice(0, 20)}`

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
