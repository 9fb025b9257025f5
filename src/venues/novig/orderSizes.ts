// Accepted order sizes: hundredths of a contract.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 0.01, minimum: 0.01 })
