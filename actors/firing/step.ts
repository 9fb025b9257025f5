// When to poll for orders to fire, and how many to work on at once. One poll at a time; anything that happens during one causes another.

export interface FiringPace {
  /** Between two polls while nothing happens. */
  pollMs: number
  /** Maximum concurrent orders. */
  atOnce: number
}

export type FiringMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** An order triggered here. */
  | { kind: 'woken' }
  /** Orders leased along with their trigger. */
  | { kind: 'began'; turns: number }
  | { kind: 'looked'; ok: true; claimed: number }
  | { kind: 'looked'; ok: false }
  | { kind: 'ended' }

export type FiringEffect = { kind: 'look'; limit: number } | { kind: 'dueIn'; delayMs: number }

export interface FiringState {
  looking: boolean
  /** Something happened since the poll began that it may have missed. */
  again: boolean
  working: number
  failures: number
}

export const backoffCapMs = 10_000

export const initialFiringState = (): FiringState => ({ looking: false, again: false, working: 0, failures: 0 })

export function stepFiring(pace: FiringPace, state: FiringState, message: FiringMessage): FiringEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due':
    case 'woken':
      return look(pace, state)
    case 'began':
      state.working += message.turns
      return []
    case 'ended':
      state.working--
      // It freed a slot, and a sibling may have been waiting for it.
      return look(pace, state)
    case 'looked': {
      state.looking = false
      if (!message.ok) {
        state.failures++
        state.again = false
        return [{ kind: 'dueIn', delayMs: Math.min(backoffCapMs, pace.pollMs * 2 ** Math.min(state.failures, 20)) }]
      }
      state.failures = 0
      state.working += message.claimed
      if (state.again || message.claimed > 0) return look(pace, state)
      return [{ kind: 'dueIn', delayMs: pace.pollMs }]
    }
  }
}

function look(pace: FiringPace, state: FiringState): FiringEffect[] {
  if (state.looking) {
    state.again = true
    return []
  }
  state.again = false
  const limit = pace.atOnce - state.working
  // Any order that ends causes a poll; if none ends, the timer does.
  if (limit <= 0) return [{ kind: 'dueIn', delayMs: pace.pollMs }]
  state.looking = true
  return [{ kind: 'look', limit }]
}
