// Myriad's fills: of an order of its book the order's row, with the sum of its fills and its limit; of a trade with a
// pool the contract's log.

import { compareDecimals, fromUnits, subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '../../lane.ts'
import { decimalIn, normalizedFill, unitsIn, wholeSize } from '../../shared/exec/normalizedFill.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { readTrade, shareDecimals } from './contracts.ts'
import { statusOf } from './wire.ts'

export const readFill = (fill: JsonObject, order: FilledOrder): NormalizedFill | null =>
  fill.event === undefined ? readSum(fill) : readPoolTrade(fill, order)

/** The row names neither the prices of its fills nor their fees. */
const readSum = (fill: JsonObject): NormalizedFill | null =>
  normalizedFill({
    size:
      decimalIn(fill.size) ??
      unitsIn(fill.filledAmount, shareDecimals) ??
      wholeSize(fill.status, statusOf, orderedSize(fill)),
    cash: null,
    fee: null,
    cumulative: true,
  })

const orderedSize = ({ order }: JsonObject): string | null =>
  typeof order === 'object' && order !== null && 'amount' in order ? unitsIn(order.amount, shareDecimals) : null

/**
 * The log's value includes the pool's fees: a buyer pays nothing on top of it, and a seller receives what the calldata
 * names.
 */
function readPoolTrade(fill: JsonObject, order: FilledOrder): NormalizedFill | null {
  const cash = decimalIn(fill.value)
  return normalizedFill({ size: decimalIn(fill.size), cash, fee: cash === null ? null : poolFee(cash, order) })
}

function poolFee(value: string, { unsigned: { data }, bounds: { decimals } }: FilledOrder): string | null {
  const trade = typeof data === 'string' ? readTrade(data as Hex) : null
  if (trade === null) return null
  if (trade.isBuy) return '0'
  if (typeof decimals !== 'number') return null
  const fee = subtractDecimals(value, fromUnits(trade.value, decimals))
  return compareDecimals(fee, '0') < 0 ? null : fee
}
