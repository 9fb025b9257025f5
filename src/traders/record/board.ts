// Score boards, read once for all who ask within a few seconds: a million wallets are sorted for each.
import type { Clock } from '#lib/clock'
import type { KeptScore } from '../ports.ts'

/** As many as anybody may ask for. */
export const boardRows = 100
const keptMs = 5_000
/** One for each venue and one of all; what else is asked has its turn. */
const boardsMax = 64

export function keepBoards(
  read: (venues: readonly string[]) => Promise<KeptScore[]>,
  clock: Clock,
): (venues: readonly string[]) => Promise<KeptScore[]> {
  const boards = new Map<string, { rows: Promise<KeptScore[]>; at: number }>()
  return (venues) => {
    const key = venues.toSorted().join(' ')
    const kept = boards.get(key)
    if (kept !== undefined && clock.monotonic() - kept.at < keptMs) return kept.rows
    const rows = read(venues)
    const board = { rows, at: clock.monotonic() }
    boards.delete(key)
    boards.set(key, board)
    if (boards.size > boardsMax) for (const oldest of boards.keys()) if (boards.delete(oldest)) break
    // Whoever asks next asks anew.
    rows.catch(() => {
      if (boards.get(key) === board) boards.delete(key)
    })
    return rows
  }
}
