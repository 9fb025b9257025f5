// The daily increase of a total that only grows, from its reports: pure.
//
//   a day ago ──── base ──┬─ … ─┬─ … ─┬──── now        rise = now − base
//                         totals kept, at least `keepEveryMs` apart
//
// The window begins at the newest total kept a day ago or longer, so it is never shorter than a day, and longer by at most the gap between
// two kept totals. An hour without a total ends the window, because a reset could have happened in it. A total that falls counts as
// missing, so a lasting reset starts a new window after an hour. Venues with running totals are read whole every 20 minutes.
import type { KeptTotal, TotalChange } from '#storage/postgres/catalog/runningTotals'

export const dayMs = 86_400_000
/** Minimum distance of kept totals; an unchanged total is renewed this often. */
export const keepEveryMs = 15 * 60_000
/** A longer pause between reports, counted from the last total kept or renewed, ends the window. */
export const reportGapMaxMs = 60 * 60_000

export interface AppliedTotal {
  /** Over the last day; null when the window does not reach so far back without a break. */
  rise: number | null
  /** What to keep; null: nothing. */
  change: TotalChange | null
}

/** `total`: the venue's current one; null when it reports none. */
export function applyTotal(kept: KeptTotal | undefined, now: number, total: number | null): AppliedTotal {
  if (kept === undefined || now - kept.heard > reportGapMaxMs)
    return { rise: null, change: total === null ? null : 'begin' }
  // A decreasing total is not trusted, nor is one older than what is known: both count as a missing report.
  const isTrusted = total !== null && total >= kept.total && now > kept.heard
  const newest = isTrusted ? total : kept.total
  return {
    rise: kept.base === null ? null : round(newest - kept.base),
    change: isTrusted ? changeOf(kept, now, total) : null,
  }
}

function changeOf(kept: KeptTotal, now: number, total: number): TotalChange | null {
  if (total > kept.total && now - kept.at >= keepEveryMs) return 'add'
  return total === kept.total && now - kept.heard >= keepEveryMs ? 'renew' : null
}

/** To the millionth, the precision of venues' own decimals. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6
