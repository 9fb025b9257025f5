// Which compute process works on which cluster: rendezvous hashing, so that all agree without communication, and a process that joins
// or leaves moves only its own share. Pure.

/** 32 bits, well mixed: FNV-1a and a finalizer. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export const weight = (memberId: string, clusterId: string): number => hash(`${memberId}\n${clusterId}`)

/** True if `a` comes before `b` for this cluster. */
export function precedes(a: string, b: string, clusterId: string): boolean {
  const [x, y] = [weight(a, clusterId), weight(b, clusterId)]
  return x !== y ? x > y : a < b
}

export function ownerOf(members: Iterable<string>, clusterId: string): string | null {
  let owner: string | null = null
  for (const member of members) if (owner === null || precedes(member, owner, clusterId)) owner = member
  return owner
}

/** The base cluster of a row key `<clusterId>:<venueA>:<venueB>`. */
export function clusterOfKey(key: string): string {
  const last = key.lastIndexOf(':')
  const before = key.lastIndexOf(':', last - 1)
  return before < 0 ? key : key.slice(0, before)
}
