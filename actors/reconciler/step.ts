// When executions in flight are checked. One poll at a time; a failed one delays the next.

export type ReconcilerMessage = { kind: 'start' } | { kind: 'due' } | { kind: 'looked'; ok: boolean }
export type ReconcilerEffect = { kind: 'look' } | { kind: 'dueIn'; delayMs: number }

export interface ReconcilerState {
  looking: boolean
  failures: number
}

export interface ReconcilerPace {
  intervalMs: number
}

export const backoffCapMs = 60_000

export const initialReconcilerState = (): ReconcilerState => ({ looking: false, failures: 0 })

export function stepReconciler(
  { intervalMs }: ReconcilerPace,
  state: ReconcilerState,
  message: ReconcilerMessage,
): ReconcilerEffect[] {
  if (message.kind !== 'looked') {
    if (state.looking) return []
    state.looking = true
    return [{ kind: 'look' }]
  }
  state.looking = false
  state.failures = message.ok ? 0 : state.failures + 1
  return [{ kind: 'dueIn', delayMs: Math.min(backoffCapMs, intervalMs * 2 ** Math.min(state.failures, 10)) }]
}
