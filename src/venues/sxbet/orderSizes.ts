// Accepted order sizes: stakes of at least 1 USDC, in millionths of it, so the granularity of contracts does not matter.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 0.01, minimum: 0.01, minimumDollars: 1 })
