// When a job that follows the catalogs runs: at the start, at its interval, after a catalog was written, and on request. Never twice at once, and a
// catalog that is written all day does not keep it running all day.

export type RunMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** A venue's catalog has new rows. */
  | { kind: 'catalogWritten' }
  /** Requested now: an operator added or withdrew an override. */
  | { kind: 'wanted' }
  /** `startedAt`: on the monotonic clock. */
  | { kind: 'finished'; ok: boolean; startedAt: number }

export type RunEffect = { kind: 'run' } | { kind: 'dueIn'; delayMs: number }

export interface RunState {
  running: boolean
  /** A catalog was written while it ran. */
  again: boolean
  failures: number
  /** When the current timer fires. */
  dueAt: number
  /** Runs triggered only by new rows wait until then. */
  restUntil: number
}

export interface RunPace {
  intervalMs: number
  /** A failed run is retried sooner than the interval, with a delay doubling from this up to it. */
  retryBaseMs: number
}

/** Pages of a catalog walk come one after another: wait for the next ones. */
const settleMs = 1_000
/** Runs triggered only by new rows take at most a quarter of the thread's time. */
const restShare = 3

export const initialRunState = (): RunState => ({
  running: false,
  again: false,
  failures: 0,
  dueAt: Number.POSITIVE_INFINITY,
  restUntil: Number.NEGATIVE_INFINITY,
})

export function stepRuns(pace: RunPace, state: RunState, message: RunMessage, now: number): RunEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due':
      return state.running ? [] : run(state)
    case 'wanted':
      // Requests repeat: a run in progress may have included this one, and a failing one has its own retry.
      return state.running || state.failures > 0 ? [] : run(state)
    case 'catalogWritten': {
      if (state.running) {
        state.again = true
        return []
      }
      const delayMs = restMs(state, now)
      // While it fails, its own retry is soon enough.
      return state.failures > 0 || now + delayMs >= state.dueAt ? [] : dueIn(state, now, delayMs)
    }
    case 'finished': {
      const { again } = state
      state.running = false
      state.again = false
      state.restUntil = now + (now - message.startedAt) * restShare
      if (!message.ok) return dueIn(state, now, Math.min(pace.intervalMs, pace.retryBaseMs * 2 ** state.failures++))
      state.failures = 0
      return dueIn(state, now, again ? Math.min(pace.intervalMs, restMs(state, now)) : pace.intervalMs)
    }
  }
}

function run(state: RunState): RunEffect[] {
  state.running = true
  state.dueAt = Number.POSITIVE_INFINITY
  return [{ kind: 'run' }]
}

const restMs = (state: RunState, now: number): number => Math.max(settleMs, state.restUntil - now)

function dueIn(state: RunState, now: number, delayMs: number): RunEffect[] {
  state.dueAt = now + delayMs
  return [{ kind: 'dueIn', delayMs }]
}
