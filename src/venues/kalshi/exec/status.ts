// Kalshi's order states in our words.
import { compareDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { KalshiOrder } from './wire.ts'

/** `executed` is also said of an order whose rest was killed. A word not listed fails loudly. */
export function statusOf({ status, fill_count_fp, initial_count_fp }: KalshiOrder): ExecutionStatus {
  if (status === 'resting' || status === 'pending') return 'acked'
  if (status === 'canceled') return 'canceled'
  if (status === 'executed') return compareDecimals(fill_count_fp, initial_count_fp) >= 0 ? 'filled' : 'canceled'
  throw new Fault('NETWORK_ERROR', 'kalshi gave an order state we do not know', {
    exchange: 'kalshi',
    detail: status.slice(0, 100),
  })
}
