// When the catalog of one venue is walked: completely at first and every `fullEveryMs`, and only the changes in between. Never two walks at once.

export type CatalogIngestMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  | { kind: 'finished'; ok: boolean; startedAt: number; full: boolean }

export type CatalogIngestEffect = { kind: 'walk'; updatedSinceMs: number | null } | { kind: 'dueIn'; delayMs: number }

export interface CatalogIngestState {
  running: boolean
  /** Start of the current walk, and of the last full one that succeeded: on the monotonic clock. */
  begunAt: number
  lastFullAt: number | null
  /** Start of the last successful run, epoch ms on the venues' clocks: the next incremental one begins there. */
  since: number | null
  failures: number
}

export interface CatalogIngestPace {
  intervalMs: number
  fullEveryMs: number
}

/** Delay before a failed walk is retried: starts at 5 s, doubles up to the interval. */
const retryBaseMs = 5_000
/** Incremental walks overlap the last run by this much: venue clocks differ from ours. */
const overlapMs = 60_000

export const initialCatalogIngestState = (): CatalogIngestState => ({
  running: false,
  begunAt: 0,
  lastFullAt: null,
  since: null,
  failures: 0,
})

export function stepCatalogIngest(
  pace: CatalogIngestPace,
  state: CatalogIngestState,
  message: CatalogIngestMessage,
  now: number,
): CatalogIngestEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due': {
      if (state.running) return []
      state.running = true
      state.begunAt = now
      const full = state.lastFullAt === null || state.since === null || now - state.lastFullAt >= pace.fullEveryMs
      return [{ kind: 'walk', updatedSinceMs: full ? null : state.since! - overlapMs }]
    }
    case 'finished': {
      state.running = false
      if (!message.ok) {
        const delayMs = Math.min(pace.intervalMs, retryBaseMs * 2 ** state.failures)
        state.failures++
        return [{ kind: 'dueIn', delayMs }]
      }
      state.failures = 0
      state.since = message.startedAt
      if (message.full) state.lastFullAt = state.begunAt
      return [{ kind: 'dueIn', delayMs: pace.intervalMs }]
    }
  }
}
