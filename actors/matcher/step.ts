// When the matcher runs: at the start, at its interval, after a catalog was written, and as soon as an operator said something. Never twice
// at once, and a catalog that is written all day does not make it run all day.

export type MatcherMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** A venue's catalog has new rows. */
  | { kind: 'catalogWritten' }
  /** An operator pinned, forbade or withdrew. */
  | { kind: 'overridden' }
  /** `startedAt`: on the monotonic clock. */
  | { kind: 'finished'; ok: boolean; startedAt: number }

export type MatcherEffect = { kind: 'run' } | { kind: 'dueIn'; delayMs: number }

export interface MatcherState {
  running: boolean
  /** A catalog was written while it ran. */
  again: boolean
  failures: number
  finishedAt: number | null
  tookMs: number
  /** When the timer fires that was set last. */
  dueAt: number
}

export interface MatcherPace {
  intervalMs: number
}

/** Pages of a catalog walk come one after another: wait for the next ones. */
const settleMs = 1_000
/** Runs that only new catalog rows asked for take at most a quarter of the thread's time. */
const restShare = 3
/** A run that failed is tried again sooner than the interval, doubling from here up to it. */
const retryBaseMs = 5_000

export const initialMatcherState = (): MatcherState => ({
  running: false,
  again: false,
  failures: 0,
  finishedAt: null,
  tookMs: 0,
  dueAt: Number.POSITIVE_INFINITY,
})

export function stepMatcher(
  pace: MatcherPace,
  state: MatcherState,
  message: MatcherMessage,
  now: number,
): MatcherEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due':
      return state.running ? [] : run(state)
    case 'overridden':
      // It is looked for again and again: a run on its way may have read the word, and one that fails has its own retry.
      return state.running || state.failures > 0 ? [] : run(state)
    case 'catalogWritten': {
      if (state.running) {
        state.again = true
        return []
      }
      // While it fails, its own retry is soon enough.
      return state.failures > 0 ? [] : bringForward(state, now, catalogDelayMs(state, now))
    }
    case 'finished': {
      state.running = false
      state.finishedAt = now
      state.tookMs = now - message.startedAt
      const { again } = state
      state.again = false
      if (!message.ok) {
        const delayMs = Math.min(pace.intervalMs, retryBaseMs * 2 ** state.failures)
        state.failures++
        return dueIn(state, now, delayMs)
      }
      state.failures = 0
      return dueIn(state, now, again ? Math.min(pace.intervalMs, catalogDelayMs(state, now)) : pace.intervalMs)
    }
  }
}

function run(state: MatcherState): MatcherEffect[] {
  state.running = true
  state.dueAt = Number.POSITIVE_INFINITY
  return [{ kind: 'run' }]
}

const catalogDelayMs = (state: MatcherState, now: number): number =>
  Math.max(settleMs, state.finishedAt === null ? 0 : state.finishedAt + state.tookMs * restShare - now)

function bringForward(state: MatcherState, now: number, delayMs: number): MatcherEffect[] {
  return now + delayMs < state.dueAt ? dueIn(state, now, delayMs) : []
}

function dueIn(state: MatcherState, now: number, delayMs: number): MatcherEffect[] {
  state.dueAt = now + delayMs
  return [{ kind: 'dueIn', delayMs }]
}
