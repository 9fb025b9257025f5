// One order of the account, as `GET /orders-v3/{orderId}` returns it. Fields are those that ccxt 4.5.84 reads; amounts are base units of stake.
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'

const Units = z.string().regex(/^\d{1,40}$/)

export const SxbetOrder = z.object({
  status: z.literal('success'),
  data: z.object({
    order: z.object({
      id: z.string(),
      totalBetSize: Units.nullish().catch(null),
      remainingSize: Units.nullish().catch(null),
      status: z.string().catch(''),
      inactiveReason: z.string().nullish().catch(null),
      updatedAt: z.string().nullish().catch(null),
    }),
  }),
})

/** ACTIVE, or why it is not. */
const states: Readonly<Record<string, ExecutionStatus>> = {
  ACTIVE: 'acked',
  FILLED: 'filled',
  EXPIRED: 'expired',
  USER_REQUESTED: 'canceled',
  NO_LIQUIDITY: 'canceled',
  INSUFFICIENT_BALANCE: 'canceled',
  EVENT_LIFECYCLE: 'canceled',
  MARKET_HALTED: 'canceled',
  HEARTBEAT_TIMEOUT: 'canceled',
  SYSTEM: 'canceled',
}
/** Null for an unlisted word. */
export const statusOf = optionalStateReader(states)

/** Of a stored fill: base units, exact. */
export const RecordedFill = z.object({ fillAmount: Units })
