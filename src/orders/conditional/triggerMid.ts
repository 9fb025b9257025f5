// The mid price of the book that triggered an order, from the stored evidence.
import type { Evidence } from '#orders/triggers/decision'
import type { JsonObject } from '#schemas/executions'

/** Of the order's own outcome, decimal string; null: the evidence does not say. A mark is taken for the mid price. */
export function midOf(evidence: JsonObject | null): string | null {
  const { reference, referencePrice: price, spread } = (evidence ?? {}) as unknown as Partial<Evidence>
  if (typeof price !== 'number') return null
  if (reference === 'mark') return decimalOf(price)
  if (typeof spread !== 'number') return null
  return decimalOf(reference === 'bid' ? price + spread / 2 : price - spread / 2)
}

const decimals = 7

/** Prices are whole millionths, and a mid price whole halves of one. */
const decimalOf = (price: number): string => price.toFixed(decimals)
