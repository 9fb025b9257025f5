// What an order holds back, and its amounts in the form of paper accounts.
import { purchaseReserve } from '#paper/accounts/fees'
import type { OutcomeKey } from '../account/account.ts'
import { moneyOf, moneyText } from '../account/money.ts'
import type { BacktestMarket, BacktestOutcome } from '../markets/market.ts'
import { decimalOfMicros, type OrderDetails } from './execution.ts'

export const keyOf = ({ venue, market, currency }: BacktestMarket, { outcomeId }: BacktestOutcome): OutcomeKey => ({
  ...{ venue, marketId: market.marketId, outcomeId, currency },
})

export interface Need {
  cash: bigint
  size: number
}

const purchasesMax = 10_000

/** What the rest of an order holds back when it is placed. A strategy places the same prices and sizes again and again. */
export class Needs {
  private readonly purchases = new Map<BacktestMarket, Map<string, bigint>>()

  of({ market, isBuy, price, size }: OrderDetails, filled: number): Need {
    const rest = size - filled
    return isBuy ? { cash: this.purchase(market, price, rest, filled > 0), size: 0 } : { cash: 0n, size: rest }
  }

  private purchase(market: BacktestMarket, price: number, size: number, hasFills: boolean): bigint {
    let known = this.purchases.get(market)
    if (known === undefined) {
      known = new Map()
      this.purchases.set(market, known)
    }
    const key = `${price} ${size} ${hasFills}`
    const found = known.get(key)
    if (found !== undefined) return found
    const wanted = { price: decimalOfMicros(price), size: decimalOfMicros(size), hasFills }
    const cash = moneyOf(purchaseReserve(market.fees, wanted))
    if (known.size >= purchasesMax) known.clear()
    known.set(key, cash)
    return cash
  }
}

export const pricedOf = ({ isBuy, price, size, market }: OrderDetails) => ({
  ...{ isBuy, price: decimalOfMicros(price), size: decimalOfMicros(size), fees: market.fees },
})

export const moneyBefore = ({ isBuy, filled, heldCash, heldSize, feeExact, fee }: OrderDetails) => ({
  filled: decimalOfMicros(filled),
  reserved: isBuy ? moneyText(heldCash) : decimalOfMicros(heldSize),
  ...{ feeExact, fee },
})
