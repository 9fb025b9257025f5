// Score boards, read once for all requests within a few seconds: each one sorts a million wallets.
import type { Clock } from '#core/clock'
import { TtlCache } from '#core/ttlCache'
import type { StoredScore } from '../ports.ts'

/** Maximum rows a caller can request. */
export const boardRows = 100
const keptMs = 5_000

export function refreshLeaderboards(
  read: (venues: readonly string[]) => Promise<StoredScore[]>,
  clock: Clock,
): (venues: readonly string[]) => Promise<StoredScore[]> {
  const recent = new TtlCache<StoredScore[]>(clock, keptMs)
  return (venues) => recent.run(venues.toSorted().join(' '), () => read(venues))
}
