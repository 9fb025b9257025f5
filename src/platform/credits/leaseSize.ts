// How many credits a process sets aside at once: enough that reads seldom wait, few enough that a balance is not locked up in one place.
// An account begins with a small lease; while it uses leases up within seconds they double, and they halve again when it slows down.

/** The most a process ever holds of an account unsettled: what is lost to the service at most when it dies at the worst moment. */
export const leaseMax = 100_000
/** What an account begins with. */
export const leaseMin = 1_000
/** A process holds at most this part of what there is. */
const shareOf = 8
/** A lease should last about this long. */
const lastsMs = { least: 1_000, most: 10_000 }

/** What the next lease aims at, after the last one was half used up in so long. */
export function nextTarget(target: number, usedWithinMs: number): number {
  if (usedWithinMs < lastsMs.least) return Math.min(leaseMax, target * 2)
  return usedWithinMs > lastsMs.most ? Math.max(leaseMin, Math.floor(target / 2)) : target
}

/** Whole credits; 0 of nothing. `there`: what is not held and what this process has left. */
export const leaseSize = (there: number, target: number): number =>
  Math.min(target, Math.ceil(Math.max(0, there) / shareOf))

export interface LeaseNeed {
  /** What to aim at, between `leaseMin` and `leaseMax`. */
  target: number
  /** Left of the lease. */
  remaining: number
  /** Spent of the lease and not in the books yet. */
  unsettled: number
  /** What waiting requests cost together, and the dearest of them. */
  wanted: number
  wantedMost: number
}

/** How many more to take of `available`. */
export function leaseWish(available: number, { target, remaining, unsettled, wanted, wantedMost }: LeaseNeed): number {
  const goal = Math.max(leaseSize(available + remaining, target), wanted) - remaining
  // One request is served even when what is unsettled fills the lease.
  const room = Math.max(leaseMax - remaining - unsettled, wantedMost - remaining)
  return Math.max(0, Math.min(available, goal, room))
}

/** What to give back once others need it more: nothing while it is at most twice what would be taken now. */
export function leaseExcess(available: number, remaining: number, target: number): number {
  const fair = leaseSize(available + remaining, target)
  return remaining > 2 * fair ? remaining - fair : 0
}
