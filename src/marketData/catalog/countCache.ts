// Counting a filter costs more than reading a page of it, and a walk asks for the same count on every page: counts are cached
// briefly.
import type { Clock } from '#core/clock'

/** Maximum age of a total. */
export const totalsKeptMs = 5_000
/** From here on a few rows more or less do not matter, and counting takes longer than reading a page. */
const largeTotal = 10_000
/** Maximum age of a large total, which writes do not invalidate. */
const largeTotalsKeptMs = 60_000
const totalsMax = 500

export interface Totals {
  get(name: string, count: () => Promise<number>): Promise<number>
  /** Called after a write of this process: small totals are counted again. */
  forget(): void
}

export function createTotals(clock: Clock, keptMs: number = totalsKeptMs): Totals {
  const kept = new Map<string, { until: number; large: boolean; total: Promise<number> }>()
  return {
    get(name, count) {
      const known = kept.get(name)
      if (known && known.until > clock.monotonic()) return known.total
      kept.delete(name)
      const entry = { until: clock.monotonic() + keptMs, large: false, total: count() }
      kept.set(name, entry)
      // The callers waiting for it get the error; later ones do not.
      entry.total.then(
        (total) => {
          if (total < largeTotal || keptMs === 0) return
          entry.large = true
          entry.until = Math.max(entry.until, clock.monotonic() + largeTotalsKeptMs)
        },
        () => {
          if (kept.get(name) === entry) kept.delete(name)
        },
      )
      if (kept.size > totalsMax) kept.delete(kept.keys().next().value!)
      return entry.total
    },
    forget() {
      for (const [name, { large }] of kept) if (!large) kept.delete(name)
    },
  }
}
