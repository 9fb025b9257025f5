// Accepted order sizes: whole contracts, or multiples of `minimumTradeQty` where that is below 1.
import type { OrderSizes } from '../venue.ts'

/** Null when the row does not say. */
export function orderSizes({
  sourceMetadata,
}: {
  sourceMetadata: Readonly<Record<string, unknown>>
}): OrderSizes | null {
  const minimum = Number(sourceMetadata.minimumTradeQty ?? Number.NaN)
  return minimum > 0 ? { step: Math.min(1, minimum), minimum } : null
}
