// Which compute process works on which cluster: rendezvous hashing, so that all agree without communication, and a process that joins
// or leaves moves only its own share. Pure.
import { stableHash } from '#schemas/stableHash'

export const weight = (memberId: string, clusterId: string): number => stableHash(`${memberId}\n${clusterId}`)

/** True if `a` rather than `b` owns this cluster when both are members. */
export function hasPriority(a: string, b: string, clusterId: string): boolean {
  const [x, y] = [weight(a, clusterId), weight(b, clusterId)]
  return x !== y ? x > y : a < b
}

export function ownerOf(members: Iterable<string>, clusterId: string): string | null {
  let owner: string | null = null
  for (const member of members) if (owner === null || hasPriority(member, owner, clusterId)) owner = member
  return owner
}

/** The base cluster of a row key `<clusterId>:<venueA>:<venueB>`. */
export function clusterOfKey(key: string): string {
  const last = key.lastIndexOf(':')
  const before = key.lastIndexOf(':', last - 1)
  return before < 0 ? key : key.slice(0, before)
}
