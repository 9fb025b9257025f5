// When the sports engine makes a pass: at the start, at its interval, and soon after a catalog was written. Never twice at once, and a catalog that is
// written all day does not make it run all day.

export type SportsMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** A venue's catalog has new rows. */
  | { kind: 'catalogWritten' }
  /** `startedAt`: on the monotonic clock. */
  | { kind: 'finished'; ok: boolean; startedAt: number }

export type SportsEffect = { kind: 'pass' } | { kind: 'dueIn'; delayMs: number }

export interface SportsState {
  running: boolean
  /** A catalog was written while it ran. */
  again: boolean
  failures: number
  /** When the timer fires that was set last. */
  dueAt: number
  /** Passes that only new rows ask for wait until then. */
  restUntil: number
}

/** Nothing was written: it still says that it looked. */
export const intervalMs = 30_000
/** Pages of a catalog walk come one after another: wait for the next ones. */
const settleMs = 1_000
/** Passes that only new rows ask for take at most a quarter of the time. */
const restShare = 3
/** A pass that failed is tried again sooner than the interval, doubling from here up to it. */
const retryBaseMs = 2_000

export const initialSportsState = (): SportsState => ({
  running: false,
  again: false,
  failures: 0,
  dueAt: Number.POSITIVE_INFINITY,
  restUntil: 0,
})

export function stepSports(state: SportsState, message: SportsMessage, now: number): SportsEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due':
      if (state.running) return []
      state.running = true
      state.dueAt = Number.POSITIVE_INFINITY
      return [{ kind: 'pass' }]
    case 'catalogWritten': {
      if (state.running) {
        state.again = true
        return []
      }
      // While it fails, its own retry is soon enough.
      const delayMs = Math.max(settleMs, state.restUntil - now)
      return state.failures > 0 || now + delayMs >= state.dueAt ? [] : dueIn(state, now, delayMs)
    }
    case 'finished': {
      state.running = false
      state.restUntil = now + (now - message.startedAt) * restShare
      const { again } = state
      state.again = false
      if (!message.ok) return dueIn(state, now, Math.min(intervalMs, retryBaseMs * 2 ** state.failures++))
      state.failures = 0
      return dueIn(state, now, again ? Math.min(intervalMs, Math.max(settleMs, state.restUntil - now)) : intervalMs)
    }
  }
}

function dueIn(state: SportsState, now: number, delayMs: number): SportsEffect[] {
  state.dueAt = now + delayMs
  return [{ kind: 'dueIn', delayMs }]
}
