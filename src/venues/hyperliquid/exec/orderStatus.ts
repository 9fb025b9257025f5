// One order as the venue shows it, and its order states mapped to ours.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import { z } from 'zod'
import { readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext } from '../../lane.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'
import { readableRows } from '../../shared/exec/pagedList.ts'
import { info } from './info.ts'

const Amount = z.string().refine((text) => readDecimal(text) !== null, 'no plain decimal')
/** An odd field of an order costs that field, not the read. */
const OptionalAmount = Amount.nullish().catch(null)
const Time = z.number().int().nullish().catch(null)
const Row = z.object({
  order: z.object({
    coin: z.string(),
    oid: z.number().int(),
    /** The unfilled part of `origSz`. */
    sz: OptionalAmount,
    origSz: OptionalAmount,
    timestamp: Time,
    side: z.string().nullish().catch(null),
    limitPx: OptionalAmount,
    cloid: z.string().nullish().catch(null),
  }),
  status: z.string().catch(''),
  statusTimestamp: Time,
})
export type StatusRow = z.infer<typeof Row>
const OrderStatus = z.discriminatedUnion('status', [
  z.object({ status: z.literal('order'), order: Row }),
  z.object({ status: z.literal('unknownOid') }),
])
/** Of other orders only id and time are read, so that other unreadable fields do not hide ours. Rows are read one by one. */
const HistoryRow = z
  .object({
    order: z
      .object({ oid: z.number().int(), cloid: z.string().nullish().catch(null), timestamp: z.number().int() })
      .loose(),
  })
  .loose()

/** By the venue's id or ours; null when unknown. */
export async function readOrder(context: LaneContext, user: string, oid: number | string): Promise<StatusRow | null> {
  const answer = await info(context, { type: 'orderStatus', user, oid }, OrderStatus)
  return answer.status === 'order' ? answer.order : null
}

/** The venue lists an account's newest orders, at most so many. */
const historyRowsMax = 2_000

/**
 * An order that `orderStatus` no longer knows, among the account's newest orders. `reachesBack`: the list is complete, or goes back to before
 * `sinceMs`, so that an order sent since would be in it.
 */
export async function findInHistory(
  context: LaneContext,
  user: string,
  id: number | string,
  sinceMs: number,
): Promise<{ row: StatusRow | null; reachesBack: boolean }> {
  const listed = await info(context, { type: 'historicalOrders', user }, z.array(z.unknown()))
  const { rows, unreadable } = readableRows(HistoryRow, listed)
  const found = rows.find(({ order: { oid, cloid } }) => oid === id || (cloid != null && cloid === id))
  if (found === undefined) {
    const oldest = Math.min(...rows.map(({ order }) => order.timestamp))
    // A row that cannot be read may be the one.
    return { row: null, reachesBack: unreadable === 0 && (listed.length < historyRowsMax || oldest < sinceMs) }
  }
  return { row: ours(found), reachesBack: true }
}

function ours(found: unknown): StatusRow {
  const parsed = Row.safeParse(found)
  if (parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'hyperliquid sent an order we cannot read', {
    exchange: 'hyperliquid',
    detail: z.prettifyError(parsed.error),
  })
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

/** Null for a word not listed here. */
export const statusOf = optionalStateReader(states)
