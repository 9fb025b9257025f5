// The price of a whole amount against a book the caller holds; null with a reason when the book cannot fill it.
import { z } from 'zod'
import { defineVerb } from '../defineVerb.ts'
import { ExecutionPrice, executionPrice } from '../executionPrice.ts'
import { computed } from './shapes.ts'

const AskedLevel = z.object({ price: z.number().min(0).max(1), size: z.number().min(0) })

export const ExecutionPriceQuery = z.object({
  orderBook: z.object({ bids: z.array(AskedLevel).max(10_000), asks: z.array(AskedLevel).max(10_000) }),
  side: z.enum(['buy', 'sell']),
  amount: z.number().positive(),
})

export const executionPriceArgs = [
  { name: 'orderBook', kind: 'json' },
  { name: 'side', kind: 'string' },
  { name: 'amount', kind: 'number' },
] as const

export const getExecutionPrice = defineVerb({
  name: 'getExecutionPrice',
  summary: 'Volume-weighted price of an amount against a given book; null with meta.reason when it cannot be filled',
  args: executionPriceArgs,
  query: ExecutionPriceQuery,
  data: ExecutionPrice.shape.price,
  router: 'pure',
  handle({ query: { orderBook, side, amount } }, markets) {
    const { price, reason, filledAmount } = executionPrice(orderBook, side, amount)
    return computed(markets, price, reason === null ? undefined : { reason, filledAmount })
  },
})
