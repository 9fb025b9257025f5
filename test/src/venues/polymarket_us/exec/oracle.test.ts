// Compares with the venue’s own client: the same URL, headers and body text.
import fc from 'fast-check'
import { PolymarketUS } from 'polymarket-us'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SendRequest } from '#net/http'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomChanges, randomOrders } from '#test/support/randomOrders'
import type { LaneContext } from '#venues/lane'
import { polymarketUsLane as lane } from '#venues/polymarket_us/exec/index'
import { createWorld, credentials, market, slug } from './world.ts'

let world: LaneWorld
let context: LaneContext
let ours: SendRequest | null = null
let theirs: { url: string; method: string; headers: Record<string, string>; body: string } | null = null

const real = { fetch: globalThis.fetch, now: Date.now }
beforeAll(async () => {
  world = await createWorld()
  context = {
    ...world.context,
    urls: lane.urls,
    sender: {
      send: async (request) => {
        const { headers } = request
        ours = { ...request, headers: typeof headers === 'function' ? await headers() : headers }
        return { kind: 'answered', status: 200, headers: {}, text: '{"id":"oid-1"}' }
      },
    },
  }
  globalThis.fetch = (async (url: string, init: { method: string; headers: Record<string, string>; body: string }) => {
    theirs = { url, method: init.method, headers: { ...init.headers }, body: init.body }
    return new Response('{"id":"oid-1"}', { status: 200 })
  }) as unknown as typeof fetch
  Date.now = () => world.clock.now()
})
afterAll(async () => {
  globalThis.fetch = real.fetch
  Date.now = real.now
  await world.close()
})

const client = new PolymarketUS(credentials)

function same(): void {
  const { url, method, headers, text } = ours!
  expect({ url, method, headers, body: text }).toEqual(theirs)
}

const orders = fc.record({
  outcomeId: fc.constantFrom(`${slug}:long`, `${slug}:short`),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('limit', 'market'),
  price: fc.integer({ min: 1, max: 999 }).map((mills) => (mills / 1_000).toFixed(3)),
  hundredths: fc.integer({ min: 1, max: 100_000_000 }),
})

/** Our options, and the client’s members for them. */
const kinds = [
  { name: 'limit and market', options: {}, theirs: {} },
  {
    name: 'good-til-date',
    options: { type: 'limit', expiresAt: 1_900_000_000 },
    theirs: { tif: 'TIME_IN_FORCE_GOOD_TILL_DATE', goodTillTime: '2030-03-17T17:46:40.000Z' },
  },
  {
    name: 'fill-or-kill',
    options: { timeInForce: 'fill-or-kill' },
    theirs: { tif: 'TIME_IN_FORCE_FILL_OR_KILL' },
  },
  {
    name: 'immediate-or-cancel',
    options: { timeInForce: 'immediate-or-cancel' },
    theirs: { tif: 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL' },
  },
  {
    name: 'post-only',
    options: { type: 'limit', postOnly: true },
    theirs: { tif: 'TIME_IN_FORCE_GOOD_TILL_CANCEL', participateDontInitiate: true },
  },
  {
    name: 'post-only and good-til-date',
    options: { type: 'limit', postOnly: true, expiresAt: 1_900_000_000 },
    theirs: {
      tif: 'TIME_IN_FORCE_GOOD_TILL_DATE',
      goodTillTime: '2030-03-17T17:46:40.000Z',
      participateDontInitiate: true,
    },
  },
]

it.each(kinds)(
  `${randomOrders} random $name orders are sent like the client does`,
  async ({ options, theirs: words }) => {
    world.outcomes.splice(0, 2, ...market({ minimumTradeQty: '0.01' }))
    await fc.assert(
      fc.asyncProperty(orders, async ({ hundredths, ...body }) => {
        world.clock.advance(1)
        const given = { ...body, marketId: slug, amount: (hundredths / 100).toFixed(2), ...options }
        const execution = executionOf(await buildOrder(lane, context, given))
        const { outcome } = await submit(lane, context, execution, credentials)
        expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'oid-1' })
        const isLong = body.outcomeId.endsWith(':long')
        const mills = Math.round(Number(body.price) * 1_000)
        await client.orders.create({
          marketSlug: slug,
          intent: `ORDER_INTENT_${body.side === 'buy' ? 'BUY' : 'SELL'}_${isLong ? 'LONG' : 'SHORT'}`,
          type: 'ORDER_TYPE_LIMIT',
          price: { value: String((isLong ? mills : 1_000 - mills) / 1_000), currency: 'USD' },
          quantity: hundredths / 100,
          tif: body.type === 'limit' ? 'TIME_IN_FORCE_GOOD_TILL_CANCEL' : 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
          ...words,
          manualOrderIndicator: 'MANUAL_ORDER_INDICATOR_AUTOMATIC',
        } as Parameters<typeof client.orders.create>[0])
        same()
      }),
      { numRuns: randomOrders },
    )
  },
  60_000,
)

it(`${randomChanges} random cancellations are sent like the client does`, async () => {
  const order = { marketId: slug, outcomeId: `${slug}:long`, side: 'buy', type: 'limit', amount: 1, price: 0.5 }
  const placed = await buildOrder(lane, context, order)
  const ids = fc.oneof(fc.uuid(), fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/))
  await fc.assert(
    fc.asyncProperty(ids, async (venueRef) => {
      world.clock.advance(1)
      const built = await lane.cancel!.build(context, executionOf(placed, { venueRef }), {} as never)
      lane.checkBounds(built.unsigned, built.bounds)
      await submit(lane, context, executionOf(built, {}, 'cancel'), credentials)
      await client.orders.cancel(venueRef, { marketSlug: slug })
      same()
    }),
    { numRuns: randomChanges },
  )
}, 60_000)
