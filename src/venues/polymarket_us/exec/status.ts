// The venue's order states in our words. A state not listed is read as nothing and said aloud.
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'

const states: Readonly<Record<string, ExecutionStatus | null>> = {
  ORDER_STATE_NEW: 'acked',
  ORDER_STATE_PENDING_NEW: 'acked',
  ORDER_STATE_PENDING_REPLACE: 'acked',
  ORDER_STATE_PENDING_CANCEL: 'acked',
  ORDER_STATE_PENDING_RISK: 'acked',
  ORDER_STATE_PARTIALLY_FILLED: 'acked',
  ORDER_STATE_FILLED: 'filled',
  ORDER_STATE_CANCELED: 'canceled',
  ORDER_STATE_REJECTED: 'failed',
  ORDER_STATE_EXPIRED: 'expired',
  /** Closes this version of the order; whether the next one keeps the id is nowhere said, so it proves nothing. */
  ORDER_STATE_REPLACED: null,
}

export const knownOrderStates: readonly string[] = Object.keys(states)

export function statusOf(state: string): ExecutionStatus | null {
  const status = Object.hasOwn(states, state) ? states[state] : undefined
  if (status !== undefined) return status
  throw new Fault('NETWORK_ERROR', 'polymarket_us gave an order state we do not know', {
    exchange: 'polymarket_us',
    detail: state.slice(0, 100),
  })
}
