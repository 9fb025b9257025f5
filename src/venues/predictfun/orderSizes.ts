// Accepted order sizes: five digits of shares, which means hundredths below a thousand, for at least a dollar
// (as documented; the venue has been observed to refuse only below 0.9).
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 0.01, minimum: 0.01, minimumDollars: 1 })
