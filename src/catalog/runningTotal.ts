// The day's rise of a total that only ever grows, from what was heard of it: pure.
//
//   a day ago ──── base ──┬─ … ─┬─ … ─┬──── now        rise = now − base
//                         totals kept, at least `keepEveryMs` apart
//
// The window begins at the newest total kept a day ago or longer, so it is never shorter than a day, and longer by what passed between two
// totals kept. Why a silence or a fall ends it: docs/decisions/0026-volumes-that-no-venue-tells.md
import type { KeptTotal, TotalChange } from '#storage/postgres/catalog/runningTotals'

export const dayMs = 86_400_000
/** Totals are kept no closer than this, and one that stays the same is said to be so this often. */
export const keepEveryMs = 15 * 60_000
/** A longer silence, counted from the last total kept or renewed, ends the window. */
export const silenceMaxMs = 60 * 60_000

export interface Heard {
  /** Over the last day; null where the window does not reach so far back without a break. */
  rise: number | null
  /** What to keep; null: nothing. */
  change: TotalChange | null
}

/** `total`: as the venue says it now; null where it says none. */
export function hear(kept: KeptTotal | undefined, now: number, total: number | null): Heard {
  if (kept === undefined || now - kept.heard > silenceMaxMs)
    return { rise: null, change: total === null ? null : 'begin' }
  // A total that falls is not believed, nor is one from before what is known: both are silence.
  const isBelieved = total !== null && total >= kept.total && now > kept.heard
  const newest = isBelieved ? total : kept.total
  return {
    rise: kept.base === null ? null : round(newest - kept.base),
    change: isBelieved ? changeOf(kept, now, total) : null,
  }
}

function changeOf(kept: KeptTotal, now: number, total: number): TotalChange | null {
  if (total > kept.total && now - kept.at >= keepEveryMs) return 'add'
  return total === kept.total && now - kept.heard >= keepEveryMs ? 'renew' : null
}

/** To the millionth, where venues' own decimals end. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6
