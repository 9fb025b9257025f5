// The price of a whole amount against a book the caller holds; null with a reason when the book cannot fill it.
import { z } from 'zod'
import type { Level } from '#schemas/marketData'
import { defineVerb } from '../defineVerb.ts'
import { ExecutionPrice, executionPrice } from '../executionPrice.ts'
import { emulated } from './shapes.ts'

/** Levels per side; a body holds about half as many. */
const levelsMax = 5_000

/** Stops at the first bad level: a thousand separate complaints would hold the loop for many milliseconds. */
const Levels = z
  .array(z.unknown())
  .max(levelsMax)
  .describe('{price, size} with price in [0,1] and size ≥ 0')
  .transform((rows, context): Level[] => {
    const bad = rows.findIndex((row) => !isLevel(row))
    if (bad < 0) return rows as Level[]
    context.addIssue({ code: 'custom', path: [bad], message: 'must be {price, size} with price in [0,1] and size ≥ 0' })
    return z.NEVER
  })

function isLevel(row: unknown): row is Level {
  if (typeof row !== 'object' || row === null) return false
  const { price, size } = row as Partial<Record<keyof Level, unknown>>
  return typeof price === 'number' && price >= 0 && price <= 1 && typeof size === 'number' && size >= 0
}

export const ExecutionPriceQuery = z
  .object({
    /** As it was read. */
    orderBook: z.looseObject({ bids: Levels, asks: Levels }),
    side: z.enum(['buy', 'sell']),
    amount: z.number().positive(),
  })
  .meta({
    examples: [
      { orderBook: { bids: [{ price: 0.4, size: 5 }], asks: [{ price: 0.6, size: 5 }] }, side: 'buy', amount: 2 },
    ],
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
    return emulated(markets, price, reason === null ? undefined : { reason, filledAmount })
  },
})
