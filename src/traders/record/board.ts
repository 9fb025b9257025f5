// Score boards, read once for all who ask within a few seconds: a million wallets are sorted for each.
import type { Clock } from '#lib/clock'
import { Recent } from '#lib/recent'
import type { KeptScore } from '../ports.ts'

/** The most that a caller may ask for. */
export const boardRows = 100
const keptMs = 5_000

export function keepBoards(
  read: (venues: readonly string[]) => Promise<KeptScore[]>,
  clock: Clock,
): (venues: readonly string[]) => Promise<KeptScore[]> {
  const recent = new Recent<KeptScore[]>(clock, keptMs)
  return (venues) => recent.run(venues.toSorted().join(' '), () => read(venues))
}
