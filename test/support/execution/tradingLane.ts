// The test adapter with the terms of its orders: outcome, side, price and size, so that limits and positions can be computed.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import { type Built, defineLane, type ExecutionAdapter, type OrderTerms } from '#venues/lane'
import { testLane } from './lane.ts'

const Order = z.strictObject({
  size: z.number().positive(),
  price: z.number().gt(0).lt(1).default(0.5),
  isBuy: z.boolean().default(true),
  outcome: z.string().default('yes'),
  /** The venue itself sells only what is held. */
  closesOnly: z.boolean().default(false),
})
type Order = z.output<typeof Order>

const costOf = ({ size, price, isBuy, closesOnly }: Order): string =>
  closesOnly ? '0' : String(Math.round((isBuy ? price : 1 - price) * size * 1e6) / 1e6)

const builtOf = (unsigned: JsonObject, order: Order, id: string): Built => ({
  unsigned: { ...unsigned, ...order, id },
  terms: {
    marketId: 'market',
    outcomeId: order.outcome,
    outcomeSide: 'YES',
    isBuy: order.isBuy,
    price: String(order.price),
    size: String(order.size),
  },
  notionalUsd: costOf(order),
  feeEstimate: null,
  bounds: { sizeMax: 1_000_000 },
  clientRef: id,
  warnings: [],
  owner: null,
})

const orderOf = ({ price, size, isBuy, outcomeId }: OrderTerms): Order => ({
  price: Number(price),
  size: Number(size),
  isBuy,
  outcome: outcomeId,
  closesOnly: false,
})

export function tradingLane(slug: ExecutionVenue = 'novig'): ExecutionAdapter {
  const lane = testLane({}, slug)
  const modifying = defineLane({
    ...lane,
    order: {
      body: Order,
      gatherFacts: async () => ({}),
      build: ({ randomUuid }, order) => builtOf({}, order, randomUuid()),
    },
    modify: {
      replaces: true,
      body: z.strictObject({ size: z.number().positive(), price: z.number().optional() }),
      build: async ({ randomUuid }, { venueRef, terms }, { size, price }) => {
        const before = orderOf(terms!)
        return builtOf({ replaces: venueRef }, { ...before, size, price: price ?? before.price }, randomUuid())
      },
    },
  })
  return {
    ...modifying,
    describe(unsigned) {
      const described = lane.describe(unsigned)
      if (described.intent !== 'order' && described.intent !== 'modify') return described
      const order = unsigned as unknown as Order
      return { ...described, isBuy: order.isBuy, price: String(order.price), costMax: costOf(order) }
    },
  }
}
