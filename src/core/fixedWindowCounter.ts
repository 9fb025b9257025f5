// Counts per name in fixed-length windows; a name's window begins with its first count. On the monotonic clock.
import type { Clock } from './clock.ts'

export interface Windows {
  /** `taken`: in this window, including `cost`. `leftMs`: until the next one. */
  take(name: string, cost: number): { taken: number; leftMs: number }
}

export function createWindows(clock: Pick<Clock, 'monotonic'>, windowMs: number): Windows {
  /** In order of their ends, so that expired ones come first. */
  const windows = new Map<string, { endsAt: number; taken: number }>()

  function windowOf(name: string, now: number) {
    const known = windows.get(name)
    if (known !== undefined && now < known.endsAt) return known
    windows.delete(name)
    for (const [oldest, { endsAt }] of windows) {
      if (now < endsAt) break
      windows.delete(oldest)
    }
    const begun = { endsAt: now + windowMs, taken: 0 }
    windows.set(name, begun)
    return begun
  }

  return {
    take(name, cost) {
      const now = clock.monotonic()
      const window = windowOf(name, now)
      window.taken += cost
      return { taken: window.taken, leftMs: window.endsAt - now }
    },
  }
}
