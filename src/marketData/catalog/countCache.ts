// Counting a filter costs more than reading a page of it, and a walk asks for the same count on every page: counts are cached
// briefly.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'

/** Maximum age of a total. */
export const totalsKeptMs = 5_000
/** From here on a few rows more or less do not matter, and counting takes longer than reading a page. */
const largeTotal = 10_000
/** Maximum age of a large total, which writes do not invalidate. */
const largeTotalsKeptMs = 60_000
/** Of each kind. */
const totalsMax = 500

export interface Totals {
  get(name: string, count: () => Promise<number>): Promise<number>
  /** Called after a write of this process: small totals are counted again. */
  forget(): void
}

export function createTotals(clock: Clock, keptMs: number = totalsKeptMs): Totals {
  const recent = new Cache<Promise<number>>(totalsMax, { clock, forMs: keptMs })
  const large = new Cache<Promise<number>>(totalsMax, { clock, forMs: Math.max(keptMs, largeTotalsKeptMs) })
  let writes = 0
  return {
    get(name, count) {
      const known = large.get(name) ?? recent.get(name)
      if (known !== undefined) return known
      const total = count()
      const writesBefore = writes
      recent.set(name, total)
      // The callers waiting for it get the error; later ones do not.
      total.then(
        (found) => {
          if (found >= largeTotal && keptMs > 0 && writes === writesBefore) large.set(name, total)
        },
        () => {
          if (recent.get(name) === total) recent.delete(name)
        },
      )
      return total
    },
    forget() {
      writes++
      recent.clear()
    },
  }
}
