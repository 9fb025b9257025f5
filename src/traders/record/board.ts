// Score boards, read once for all requests within a few seconds: each one sorts a million wallets.
import type { Clock } from '#lib/clock'
import { Recent } from '#lib/recent'
import type { KeptScore } from '../ports.ts'

/** Maximum rows a caller can request. */
export const boardRows = 100
const keptMs = 5_000

export function keepBoards(
  read: (venues: readonly string[]) => Promise<KeptScore[]>,
  clock: Clock,
): (venues: readonly string[]) => Promise<KeptScore[]> {
  const recent = new Recent<KeptScore[]>(clock, keptMs)
  return (venues) => recent.run(venues.toSorted().join(' '), () => read(venues))
}
