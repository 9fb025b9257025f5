// In which sizes Pascal takes orders: whole contracts.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 1, minimum: 1 })
