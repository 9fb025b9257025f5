// In which sizes Hyperliquid takes orders for outcomes: whole contracts (`Order has invalid size`) worth 10 of the quote token
// (`Order must have minimum value of $10.`). Published words disagree whether that is the size times the price or times the lesser of the
// price and what it leaves to 1: an order that is both is taken by either.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 1, minimum: 1, minimumDollars: 10, minimumOtherDollars: 10 })
