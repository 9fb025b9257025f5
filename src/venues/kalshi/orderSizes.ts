// Accepted order sizes: whole contracts.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 1, minimum: 1 })
