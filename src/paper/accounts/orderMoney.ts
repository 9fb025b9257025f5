// What a fill does to the money of its order: the same on paper and in a backtest.
import { addDecimals, compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import type { FillMoney, OrderMoney } from '#storage/postgres/paper/apply'
import { exactPaperFee, type FeeQuestion, type PaperFeeModel, roundPaperFee } from './fees.ts'

/** Decimal strings, as all amounts here. */
export interface PricedOrder {
  isBuy: boolean
  price: string
  size: string
  fees: PaperFeeModel
}

/** Throws if the fill is worse than the order's limit, or larger than what is left of it. */
export function takeFill({ isBuy, price, size, fees }: PricedOrder, before: OrderMoney, fill: FeeQuestion): FillMoney {
  const remaining = subtractDecimals(size, before.filled)
  const isWorse = compareDecimals(fill.price, price) * (isBuy ? 1 : -1) > 0
  if (isWorse || compareDecimals(fill.size, remaining) > 0) throw new Error('a paper fill exceeds its order')
  const cash = multiplyDecimals(fill.price, fill.size)
  const feeExact = addDecimals(before.feeExact, exactPaperFee(fees, fill))
  const due = subtractDecimals(roundPaperFee(fees, feeExact), before.fee)
  // A buyer pays at most what was reserved for fees, a seller at most what the sale brings.
  const feeMax = isBuy ? subtractDecimals(before.reserved, multiplyDecimals(price, remaining)) : cash
  const fee = smaller(larger(due, '0'), larger(feeMax, '0'))
  const released = isBuy ? addDecimals(multiplyDecimals(price, fill.size), fee) : fill.size
  const after = {
    filled: addDecimals(before.filled, fill.size),
    reserved: subtractDecimals(before.reserved, released),
    feeExact,
    fee: addDecimals(before.fee, fee),
  }
  return { after, cash, fee }
}

const smaller = (a: string, b: string): string => (compareDecimals(a, b) < 0 ? a : b)
const larger = (a: string, b: string): string => (compareDecimals(a, b) > 0 ? a : b)
