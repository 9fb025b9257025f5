// When the roll-up runs: at the start, for as long as there is more to do, and then after a pause; a failed pass is repeated after growing
// delays.

export type TradersMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** `more`: there was more than one pass takes. */
  | { kind: 'passed'; ok: true; more: boolean }
  | { kind: 'passed'; ok: false }

export type TradersEffect = { kind: 'pass' } | { kind: 'dueIn'; delayMs: number }

export interface TradersState {
  passing: boolean
  failures: number
}

export interface TradersPace {
  /** Between two passes. */
  rollUpMs: number
  /** Between two rounds of settlement lookups. */
  settleMs: number
}

export const failureCapMs = 60_000

export const initialTradersState = (): TradersState => ({ passing: false, failures: 0 })

export function stepTraders(
  pace: Pick<TradersPace, 'rollUpMs'>,
  state: TradersState,
  message: TradersMessage,
): TradersEffect[] {
  if (message.kind !== 'passed') {
    if (state.passing) return []
    state.passing = true
    return [{ kind: 'pass' }]
  }
  state.passing = false
  state.failures = message.ok ? 0 : state.failures + 1
  if (message.ok && message.more) {
    state.passing = true
    return [{ kind: 'pass' }]
  }
  return [{ kind: 'dueIn', delayMs: Math.min(failureCapMs, pace.rollUpMs * 2 ** Math.min(state.failures, 20)) }]
}
