// Accepted order sizes: hundredths of a share, at least what the market's row says (usually 5), and at least a dollar for marketable orders.
import type { OrderSizes } from '../venue.ts'

/** pUSD: `invalid amount for a marketable BUY order` below it. */
const minimumDollars = 1

/** Null when the row does not say. */
export function orderSizes({
  sourceMetadata,
}: {
  sourceMetadata: Readonly<Record<string, unknown>>
}): OrderSizes | null {
  const minimum = sourceMetadata.minOrderSize
  return typeof minimum === 'number' && minimum > 0 ? { step: 0.01, minimum, minimumDollars } : null
}
