// Accepted order sizes for outcomes: whole contracts (`Order has invalid size`) worth 10 of the quote token
// (`Order must have minimum value of $10.`). Published sources disagree whether that is the size times the price or times the lesser of
// the
// price and its complement: an order that satisfies both is accepted either way.
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 1, minimum: 1, minimumDollars: 10, minimumOtherDollars: 10 })
