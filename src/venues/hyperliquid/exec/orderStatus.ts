// One order as the venue shows it, and its order states mapped to ours.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import { z } from 'zod'
import { readDecimal } from '#lib/decimal'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext } from '../../lane.ts'
import { stateReader } from '../../shared/exec/orderStates.ts'
import { info } from './info.ts'

const Amount = z.string().refine((text) => readDecimal(text) !== null, 'no plain decimal')
const Found = z.object({
  status: z.literal('order'),
  order: z.object({
    order: z.object({
      coin: z.string(),
      oid: z.number().int(),
      /** The unfilled part of `origSz`. */
      sz: Amount,
      origSz: Amount,
      timestamp: z.number().int(),
      side: z.string().nullish().catch(null),
      limitPx: Amount.nullish().catch(null),
      cloid: z.string().nullish(),
    }),
    status: z.string(),
    statusTimestamp: z.number().int(),
  }),
})
const OrderStatus = z.discriminatedUnion('status', [Found, z.object({ status: z.literal('unknownOid') })])
export type StatusRow = z.infer<typeof Found>['order']

/** By the venue's id or ours; null when unknown. */
export async function readOrder(context: LaneContext, user: string, oid: number | string): Promise<StatusRow | null> {
  const answer = await info(context, { type: 'orderStatus', user, oid }, OrderStatus)
  return answer.status === 'order' ? answer.order : null
}

const states: Readonly<Record<string, ExecutionStatus>> = {
  open: 'acked',
  triggered: 'acked',
  filled: 'filled',
  canceled: 'canceled',
  marginCanceled: 'canceled',
  vaultWithdrawalCanceled: 'canceled',
  openInterestCapCanceled: 'canceled',
  selfTradeCanceled: 'canceled',
  reduceOnlyCanceled: 'canceled',
  siblingFilledCanceled: 'canceled',
  delistedCanceled: 'canceled',
  liquidatedCanceled: 'canceled',
  outcomeSettledCanceled: 'canceled',
  scheduledCancel: 'canceled',
  internalCancel: 'canceled',
  rejected: 'failed',
  tickRejected: 'failed',
  minTradeNtlRejected: 'failed',
  perpMarginRejected: 'failed',
  reduceOnlyRejected: 'failed',
  badAloPxRejected: 'failed',
  iocCancelRejected: 'failed',
  badTriggerPxRejected: 'failed',
  marketOrderNoLiquidityRejected: 'failed',
  positionIncreaseAtOpenInterestCapRejected: 'failed',
  positionFlipAtOpenInterestCapRejected: 'failed',
  tooAggressiveAtOpenInterestCapRejected: 'failed',
  openInterestIncreaseRejected: 'failed',
  insufficientSpotBalanceRejected: 'failed',
  oracleRejected: 'failed',
  perpMaxPositionRejected: 'failed',
  tooManyOpenOrdersRejected: 'failed',
}

export const knownOrderStates: readonly string[] = Object.keys(states)

/** A word not listed here counts as no state and is logged. */
export const statusOf = stateReader('hyperliquid', states)
