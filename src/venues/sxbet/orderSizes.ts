// In which sizes SX Bet takes orders: stakes of at least 1 USDC, in millionths of it, so that contracts are as fine as anybody counts them.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 0.01, minimum: 0.01, minimumDollars: 1 })
