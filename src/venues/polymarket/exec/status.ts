// Polymarket's order states in our words.
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'

const states: Readonly<Record<string, ExecutionStatus>> = {
  LIVE: 'acked',
  DELAYED: 'acked',
  MATCHED: 'filled',
  CANCELED: 'canceled',
  CANCELED_MARKET_RESOLVED: 'canceled',
  INVALID: 'failed',
}

/** With or without the prefix of the OpenAPI page. A word not listed fails loudly. */
export function statusOf(word: string): ExecutionStatus {
  const bare = word.toUpperCase().replace(/^ORDER_STATUS_/, '')
  const status = Object.hasOwn(states, bare) ? states[bare] : undefined
  if (status !== undefined) return status
  throw new Fault('NETWORK_ERROR', 'polymarket gave an order state we do not know', {
    exchange: 'polymarket',
    detail: word.slice(0, 100),
  })
}
