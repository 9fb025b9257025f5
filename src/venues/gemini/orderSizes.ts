// Accepted order sizes: whole contracts, unless the contract states a step and a minimum of its own.
import type { OrderSizes } from '../venue.ts'

export function orderSizes({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): OrderSizes {
  const step = Number(sourceMetadata.quantityIncrement ?? 1)
  return { step, minimum: Number(sourceMetadata.quantityMinimum ?? step) }
}
