// The venue's words for the state of an order, in ours. A word not listed here is read as nothing and said aloud.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'

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

export function statusOf(word: string): ExecutionStatus {
  const status = Object.hasOwn(states, word) ? states[word] : undefined
  if (status !== undefined) return status
  throw new Fault('NETWORK_ERROR', 'hyperliquid gave an order state we do not know', {
    exchange: 'hyperliquid',
    detail: word.slice(0, 100),
  })
}
