// Which books matter most now: those of rows that are executable, or would be if their books were fresh and their prices slightly better. Pure.

import type { CompiledSurface } from './compileSurface.ts'
import { sideFlag } from './flags.ts'
import type { SurfaceTable } from './table.ts'
import { TopK } from './topK.ts'

/** Of the payout: a row that loses more than this is not near. */
const lossShareMax = 0.02
/** Rows considered for one venue's legs. */
const rowsMax = 200
const rowsPerStep = 2_000

/** Book ids by venue, those of the best rows first. Yields from time to time. */
export function* nearMoneyLegs(
  { plan, rowFacts, sideFacts }: CompiledSurface,
  { flags, net }: SurfaceTable,
): Generator<void, Map<string, string[]>, void> {
  const floor = -lossShareMax * plan.contracts * 1e6
  const byVenue = new Map<string, TopK<number>>()
  const bestFirst = (a: number, b: number): number => net[b]! - net[a]! || a - b
  for (let row = 0; row < plan.rows; row++) {
    if (row % rowsPerStep === rowsPerStep - 1) yield
    const yes = plan.rowYes[row]!
    const no = plan.rowNo[row]!
    const barred = (flags[yes]! | flags[no]!) & ~sideFlag.stale
    if (barred !== 0 || !rowFacts[row]!.verified || !(net[row]! >= floor)) continue
    for (const side of [yes, no]) {
      const { venue } = sideFacts[side]!.member
      let best = byVenue.get(venue)
      if (best === undefined) {
        best = new TopK(rowsMax, bestFirst)
        byVenue.set(venue, best)
      }
      best.offer(row)
    }
  }
  const near = new Map<string, string[]>()
  for (const [venue, best] of byVenue) {
    const bookIds = new Set<string>()
    for (const row of best.sorted()) {
      for (const side of [plan.rowYes[row]!, plan.rowNo[row]!]) {
        const { member, source } = sideFacts[side]!
        if (member.venue === venue && source !== null) bookIds.add(source.bookId)
      }
    }
    near.set(venue, [...bookIds])
  }
  return near
}
