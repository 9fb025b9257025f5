// When queues are polled, and how many are processed at once.
//
// A receiver that never responds must not block those that do. Queues therefore wait in three rows by how their last
// attempt went, each with slots of its own, and a slot counts as taken only while its attempt is young: an attempt that
// takes longer continues without one. The total bounds the sockets.
import type { EndpointHealth } from '#storage/postgres/webhooks/store'

export const healthStates: readonly EndpointHealth[] = ['good', 'new', 'bad']

/** `young`: slots for attempts that may yet be quick. `total`: including those that no longer occupy one. */
export interface SlotLimits {
  young: number
  total: number
}

export interface DeliveryPace {
  /** Between two polls while nothing happens. */
  pollMs: number
  slots: Readonly<Record<EndpointHealth, SlotLimits>>
}

export type DeliveryMessage =
  | { kind: 'start' }
  | { kind: 'due' }
  /** `more`: there was more in the outbox than one poll takes. */
  | { kind: 'looked'; ok: true; claimed: readonly EndpointHealth[]; more: boolean }
  | { kind: 'looked'; ok: false }
  /** An attempt has lasted so long that it no longer occupies a slot. */
  | { kind: 'aged'; health: EndpointHealth }
  | { kind: 'ended'; health: EndpointHealth; aged: boolean }

export type DeliveryEffect =
  | { kind: 'look'; wanted: readonly { standing: EndpointHealth; count: number }[] }
  | { kind: 'dueIn'; delayMs: number }

export interface DeliveryState {
  looking: boolean
  /** Something changed during a poll: poll again at once. */
  again: boolean
  failures: number
  slots: Record<EndpointHealth, { young: number; total: number }>
}

export const backoffCapMs = 10_000

export const initialDeliveryState = (): DeliveryState => ({
  looking: false,
  again: false,
  failures: 0,
  slots: { good: { young: 0, total: 0 }, new: { young: 0, total: 0 }, bad: { young: 0, total: 0 } },
})

export function stepDeliveries(pace: DeliveryPace, state: DeliveryState, message: DeliveryMessage): DeliveryEffect[] {
  switch (message.kind) {
    case 'start':
    case 'due':
      return look(pace, state)
    case 'aged': {
      const slots = state.slots[message.health]
      const wasFull = slots.young >= pace.slots[message.health].young
      slots.young--
      return wasFull ? look(pace, state) : []
    }
    case 'ended': {
      const slots = state.slots[message.health]
      slots.total--
      if (!message.aged) slots.young--
      return look(pace, state)
    }
    case 'looked': {
      state.looking = false
      if (!message.ok) {
        state.failures++
        state.again = false
        return [{ kind: 'dueIn', delayMs: Math.min(backoffCapMs, pace.pollMs * 2 ** Math.min(state.failures, 20)) }]
      }
      state.failures = 0
      for (const health of message.claimed) {
        state.slots[health].young++
        state.slots[health].total++
      }
      if (state.again || message.more) return look(pace, state)
      return [{ kind: 'dueIn', delayMs: pace.pollMs }]
    }
  }
}

/** One poll at a time; while polls fail, only the timer starts the next one. */
function look(pace: DeliveryPace, state: DeliveryState): DeliveryEffect[] {
  if (state.looking) {
    state.again = true
    return []
  }
  state.looking = true
  state.again = false
  const wanted = healthStates.map((health) => {
    const { young, total } = pace.slots[health]
    const taken = state.slots[health]
    return { standing: health, count: Math.max(0, Math.min(young - taken.young, total - taken.total)) }
  })
  return [{ kind: 'look', wanted }]
}
