// Which ingest process should feed which venue: an even share each, by rendezvous hashing, so that all who read the same list agree without talking
// to each other, and a process that joins or leaves moves few venues. Pure.
import { ownerOf } from '#arbitrage/spread/split'
import type { IngestProcess } from '#storage/postgres/venueLeases'

/** Venue → process. */
export function share(processes: readonly IngestProcess[]): Map<string, string> {
  const able = new Map<string, string[]>()
  for (const { id, venues } of processes) for (const venue of venues) able.set(venue, [...(able.get(venue) ?? []), id])
  const most = Math.ceil(able.size / processes.filter(({ venues }) => venues.length > 0).length)
  const load = new Map<string, number>()
  const shares = new Map<string, string>()
  for (const venue of [...able.keys()].sort()) {
    const ids = able.get(venue)!
    const roomy = ids.filter((id) => (load.get(id) ?? 0) < most)
    const owner = ownerOf(roomy.length > 0 ? roomy : ids, venue)!
    load.set(owner, (load.get(owner) ?? 0) + 1)
    shares.set(venue, owner)
  }
  return shares
}
