// When a venue's figures are collected. One pass at a time; an incomplete one is repeated, after growing delays.

/** `waitMs`: after a complete pass, until something new can be due. */
export type PollResult = { kind: 'complete'; waitMs: number } | { kind: 'elsewhere' } | { kind: 'incomplete' }

export type VenueMetricsMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** A walk of the venue's catalog has ended: figures that need it can be computed. */
  | { kind: 'catalogWalked' }
  | { kind: 'collected'; outcome: PollResult }
export type VenueMetricsEffect = { kind: 'collect' } | { kind: 'dueIn'; delayMs: number }

export interface VenueMetricsState {
  collecting: boolean
  /** Consecutive incomplete passes. */
  incompletePasses: number
}

/** At the start the catalog is still being walked: retry soon. */
export const retryBaseMs = 5_000
export const retryCapMs = 900_000
/** If a day begins while the machine sleeps, or the clock is set, it is noticed within the hour. */
export const waitMaxMs = 3_600_000
/** Another process has the job. */
export const otherOwnerTimeoutMs = 120_000

export const initialVenueMetricsState = (): VenueMetricsState => ({ collecting: false, incompletePasses: 0 })

export function stepVenueMetrics(state: VenueMetricsState, message: VenueMetricsMessage): VenueMetricsEffect[] {
  if (message.kind !== 'collected') {
    if (state.collecting || (message.kind === 'catalogWalked' && state.incompletePasses === 0)) return []
    state.collecting = true
    return [{ kind: 'collect' }]
  }
  const { outcome } = message
  state.collecting = false
  if (outcome.kind === 'elsewhere') return [{ kind: 'dueIn', delayMs: otherOwnerTimeoutMs }]
  if (outcome.kind === 'complete') {
    state.incompletePasses = 0
    return [{ kind: 'dueIn', delayMs: Math.min(waitMaxMs, outcome.waitMs) }]
  }
  return [{ kind: 'dueIn', delayMs: Math.min(retryCapMs, retryBaseMs * 2 ** Math.min(state.incompletePasses++, 10)) }]
}
