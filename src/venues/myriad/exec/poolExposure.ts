// What an order can cost, in dollars.
import { moneyAtRisk } from '../../shared/exposure.ts'
import { isDollar } from '../data/collateral.ts'

/**
 * A seller gives shares, which must exist or nothing is traded: the venue checks an order, and a pool's contract takes no others. Null for a
 * buyer who pays in a non-dollar token.
 */
export function riskOf(order: { isBuy: boolean; price: string; size: string }, collateral: string): string | null {
  if (order.isBuy && !isDollar(collateral)) return null
  return moneyAtRisk({ ...order, closesOnly: !order.isBuy })
}
