// Which ingest process should feed which venue, or part of one: an even share each, by rendezvous hashing, so that all who read the same list agree
// without talking to each other, and a process that joins or leaves moves few venues. Pure.
import { ownerOf } from '#arbitrage/sharding/rendezvousHash'
import { parseLease } from '#schemas/parts'
import type { IngestProcess } from '#storage/postgres/venueLeases'

/** Lease → process. Parts of one venue go to as many processes as possible. */
export function assignPartitions(processes: readonly IngestProcess[]): Map<string, string> {
  const able = new Map<string, string[]>()
  for (const { id, venues } of processes) for (const venue of venues) able.set(venue, [...(able.get(venue) ?? []), id])
  const most = Math.ceil(able.size / processes.filter(({ venues }) => venues.length > 0).length)
  const load = new Map<string, number>()
  /** Process and venue → parts of it. */
  const parts = new Map<string, number>()
  const shares = new Map<string, string>()
  for (const venue of [...able.keys()].sort()) {
    const ids = able.get(venue)!
    const roomy = ids.filter((id) => (load.get(id) ?? 0) < most)
    const possible = roomy.length > 0 ? roomy : ids
    const partsAt = (id: string): number => parts.get(`${id} ${parseLease(venue).venue}`) ?? 0
    const fewest = Math.min(...possible.map(partsAt))
    const owner = ownerOf(
      possible.filter((id) => partsAt(id) === fewest),
      venue,
    )!
    load.set(owner, (load.get(owner) ?? 0) + 1)
    parts.set(`${owner} ${parseLease(venue).venue}`, partsAt(owner) + 1)
    shares.set(venue, owner)
  }
  return shares
}
