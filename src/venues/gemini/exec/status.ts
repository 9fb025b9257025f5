// Gemini's order states in our words. There is no partial state: a part fill shows as open, or cancelled, with filledQuantity above zero.
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'

const states: Readonly<Record<string, ExecutionStatus>> = {
  new: 'acked',
  open: 'acked',
  partially_filled: 'acked',
  modified: 'acked',
  filled: 'filled',
  cancelled: 'canceled',
  canceled: 'canceled',
  rejected: 'failed',
}

export const knownOrderStates: readonly string[] = Object.keys(states)

/** The REST rows write lower case, the stream upper case. */
export function statusOf(word: string): ExecutionStatus {
  const key = word.toLowerCase()
  const status = Object.hasOwn(states, key) ? states[key] : undefined
  if (status !== undefined) return status
  throw new Fault('NETWORK_ERROR', 'gemini gave an order state we do not know', {
    exchange: 'gemini',
    detail: word.slice(0, 100),
  })
}
