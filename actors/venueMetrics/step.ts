// When a venue's figures are collected. One pass at a time; an incomplete one is repeated, after growing delays.

/** `waitMs`: after a complete pass, until something new can be due. */
export type PollResult = { kind: 'whole'; waitMs: number } | { kind: 'elsewhere' } | { kind: 'partly' }

export type VenueMetricsMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** A walk of the venue's list has ended: what waited for it can proceed. */
  | { kind: 'walked' }
  | { kind: 'looked'; outcome: PollResult }
export type VenueMetricsEffect = { kind: 'look' } | { kind: 'dueIn'; delayMs: number }

export interface VenueMetricsState {
  looking: boolean
  /** Consecutive incomplete passes. */
  partly: number
}

/** At the start the catalog is still being walked: retry soon. */
export const retryBaseMs = 5_000
export const retryCapMs = 900_000
/** If a day begins while the machine sleeps, or the clock is set, it is noticed within the hour. */
export const waitMaxMs = 3_600_000
/** Another process has the job. */
export const otherOwnerTimeoutMs = 120_000

export const initialVenueMetricsState = (): VenueMetricsState => ({ looking: false, partly: 0 })

export function stepVenueMetrics(state: VenueMetricsState, message: VenueMetricsMessage): VenueMetricsEffect[] {
  if (message.kind !== 'looked') {
    if (state.looking || (message.kind === 'walked' && state.partly === 0)) return []
    state.looking = true
    return [{ kind: 'look' }]
  }
  const { outcome } = message
  state.looking = false
  if (outcome.kind === 'elsewhere') return [{ kind: 'dueIn', delayMs: otherOwnerTimeoutMs }]
  if (outcome.kind === 'whole') {
    state.partly = 0
    return [{ kind: 'dueIn', delayMs: Math.min(waitMaxMs, outcome.waitMs) }]
  }
  return [{ kind: 'dueIn', delayMs: Math.min(retryCapMs, retryBaseMs * 2 ** Math.min(state.partly++, 10)) }]
}
