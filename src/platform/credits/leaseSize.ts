// How many credits a process reserves at once: enough that reads seldom wait, few enough that a balance is not locked up in one place.
// An account begins with a small lease; while it uses leases up within seconds they double, and they halve again when it slows down.

/** Maximum unsettled credits per account and process: the service's maximum loss when it dies at the worst moment. */
export const leaseMax = 100_000
/** Initial lease of an account. */
export const leaseMin = 1_000
/** A process holds at most this fraction of what is available. */
const shareOf = 8
/** Intended duration of a lease. */
const lastsMs = { least: 1_000, most: 10_000 }

/** The next lease's target, after the last one was half used up within `usedWithinMs`. */
export function nextTarget(target: number, usedWithinMs: number): number {
  if (usedWithinMs < lastsMs.least) return Math.min(leaseMax, target * 2)
  return usedWithinMs > lastsMs.most ? Math.max(leaseMin, Math.floor(target / 2)) : target
}

/** Whole credits; 0 of nothing. `there`: what is unheld plus what this process has left. */
export const leaseSize = (there: number, target: number): number =>
  Math.min(target, Math.ceil(Math.max(0, there) / shareOf))

export interface LeaseNeed {
  /** The target, between `leaseMin` and `leaseMax`. */
  target: number
  /** Left of the lease. */
  remaining: number
  /** Spent from the lease but not in the books yet. */
  unsettled: number
  /** Total cost of the waiting requests, and of the most expensive one. */
  wanted: number
  wantedMost: number
}

/** How many more to take of `available`. */
export function wantedLease(
  available: number,
  { target, remaining, unsettled, wanted, wantedMost }: LeaseNeed,
): number {
  const goal = Math.max(leaseSize(available + remaining, target), wanted) - remaining
  // One request is served even when unsettled credits fill the lease.
  const headroom = Math.max(leaseMax - remaining - unsettled, wantedMost - remaining)
  return Math.max(0, Math.min(available, goal, headroom))
}

/** What to return once others need it more: nothing while it is at most twice what would be taken now. */
export function leaseExcess(available: number, remaining: number, target: number): number {
  const fair = leaseSize(available + remaining, target)
  return remaining > 2 * fair ? remaining - fair : 0
}
