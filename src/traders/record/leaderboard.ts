// Score boards, read once for all requests within a few seconds: each one sorts a million wallets.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import type { StoredScore } from '../ports.ts'

/** Maximum rows a caller can request. */
export const boardRows = 100
const keptMs = 5_000
/** Selections of venues cached. */
const boardsMax = 1_000

export function refreshLeaderboards(
  read: (venues: readonly string[]) => Promise<StoredScore[]>,
  clock: Clock,
): (venues: readonly string[]) => Promise<StoredScore[]> {
  const recent = new Cache<StoredScore[]>(boardsMax, { clock, forMs: keptMs })
  return (venues) => recent.getOrLoad(venues.toSorted().join(' '), () => read(venues))
}
