// In which sizes Predict.fun takes orders: five digits of shares, which are hundredths of them below a thousand, for at least a dollar
// (the documents' word; the venue has been seen to refuse below 0.9).
import type { OrderSizes } from '../venue.ts'

export const orderSizes = (): OrderSizes => ({ step: 0.01, minimum: 0.01, minimumDollars: 1 })
