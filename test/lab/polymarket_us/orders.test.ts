// The lab's order entry with the venue's own client.
import { PolymarketUS } from 'polymarket-us'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'orders', venues: ['polymarket_us'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

function client(credentials = lab.polymarket_us.key) {
  const { API, GATEWAY } = lab.polymarket_us.urls
  return new PolymarketUS({ ...credentials, apiBaseUrl: API, gatewayBaseUrl: GATEWAY })
}

function market() {
  const { listing, engine, book } = lab.polymarket_us
  const found = listing.markets.find(({ key, grid, slug }) => {
    if (engine.statusOf(key) !== 'open' || grid !== 'cent') return false
    return book(slug)!.bids[0]![0] > 200_000
  })!
  const { bids, asks } = book(found.slug)!
  return { slug: found.slug, key: found.key, bid: bids[0]![0], ask: asks[0]![0] }
}

const usd = (micros: number) => ({ value: (micros / 1e6).toFixed(2), currency: 'USD' as const })
const order = (over: object = {}) => ({
  marketSlug: market().slug,
  intent: 'ORDER_INTENT_BUY_LONG' as const,
  type: 'ORDER_TYPE_LIMIT' as const,
  price: usd(market().bid),
  quantity: 10,
  tif: 'TIME_IN_FORCE_GOOD_TILL_CANCEL' as const,
  ...over,
})

async function refusal(call: Promise<unknown>): Promise<[number, string]> {
  const error = await call.then(
    () => {
      throw new Error('the request was not rejected')
    },
    (caught: unknown) => caught as { status: number; message: string },
  )
  return [error.status, error.message]
}

describe('order entry with the official client', () => {
  test('rests an order in the public book, lists it, modifies it, and cancels it once', async () => {
    const { orders, markets } = client()
    const { slug, bid } = market()
    type Book = { marketData: { bids: { px: { value: string }; qty: string }[] } }
    const best = async () => ((await markets.book(slug)) as unknown as Book).marketData.bids[0]!
    const before = await best()
    const { id } = await orders.create(order())
    expect(await best()).toEqual({ ...before, qty: (Number(before.qty) + 10).toFixed(4) })
    expect((await orders.list({ slugs: [slug] })).orders).toMatchObject([{ id, quantity: 10, leavesQuantity: 10 }])
    expect((await orders.list({ slugs: ['another'] })).orders).toEqual([])
    await orders.modify(id, { marketSlug: slug, price: usd(bid - 10_000), quantity: 12 })
    expect((await orders.retrieve(id)).order).toMatchObject({
      price: { value: ((bid - 10_000) / 1e6).toFixed(4) },
      quantity: 12,
      intent: 'ORDER_INTENT_BUY_LONG',
    })
    await orders.cancel(id, { marketSlug: slug })
    expect((await orders.retrieve(id)).order).toMatchObject({ state: 'ORDER_STATE_CANCELED', leavesQuantity: 0 })
    expect((await refusal(orders.cancel(id, { marketSlug: slug })))[0]).toBe(400)
    expect((await refusal(orders.retrieve('no-such')))[0]).toBe(404)
  })

  test('fills a crossing order at the resting price, returns that on a synchronous request, and lists the trade', async () => {
    const { orders, portfolio } = client()
    const { ask, slug } = market()
    const { id, executions } = await orders.create(order({ price: usd(ask), quantity: 1, synchronousExecution: true }))
    expect(executions).toMatchObject([{ type: 'EXECUTION_TYPE_FILL', lastPx: { value: (ask / 1e6).toFixed(4) } }])
    expect((await orders.retrieve(id)).order).toMatchObject({ state: 'ORDER_STATE_FILLED', cumQuantity: 1 })
    const { activities } = await portfolio.activities({ marketSlug: slug, types: ['ACTIVITY_TYPE_TRADE'], limit: 1 })
    expect(activities).toMatchObject([{ trade: { marketSlug: slug, qty: '1.0000', isAggressor: true } }])
  })

  test('a short intent trades in the one book at the long price; cancel-all ends resting orders', async () => {
    const { orders } = client()
    const { ask, slug, key } = market()
    const { id } = await orders.create(order({ intent: 'ORDER_INTENT_BUY_SHORT', price: usd(ask) }))
    const mine = lab.polymarket_us.engine.orderManager.ordersOf(lab.polymarket_us.key.keyId)
    expect(mine.find(({ status, market: { id: at } }) => status === 'open' && at === key)).toMatchObject({ side: 1 })
    expect((await orders.cancelAll({ slugs: [slug] })).canceledOrderIds).toEqual([id])
  })

  test('rejects what the venue rejects', async () => {
    const { orders } = client()
    const { ask } = market()
    expect((await refusal(orders.create(order({ price: { value: '0.4051', currency: 'USD' } }))))[0]).toBe(400)
    expect((await refusal(orders.create(order({ quantity: 0.5 }))))[0]).toBe(400)
    expect(await refusal(orders.create(order({ quantity: 90_000_000 })))).toEqual([400, 'insufficient buying power'])
    expect((await refusal(orders.create(order({ marketSlug: 'no-such' }))))[0]).toBe(404)
    const crossing = { price: usd(ask), participateDontInitiate: true }
    expect((await orders.create(order(crossing))).executions).toMatchObject([{ type: 'EXECUTION_TYPE_REJECTED' }])
    const killed = { price: usd(ask), quantity: 100_000, tif: 'TIME_IN_FORCE_FILL_OR_KILL' }
    expect((await orders.create(order(killed))).executions).toMatchObject([{ type: 'EXECUTION_TYPE_REJECTED' }])
    const wrong = client({
      ...lab.polymarket_us.key,
      secretKey: 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=',
    })
    expect(await refusal(wrong.orders.list())).toEqual([401, 'invalid signature'])
    const unsigned = await fetch(`${lab.polymarket_us.urls.API}/v1/orders/open`)
    expect([unsigned.status, await unsigned.json()]).toEqual([
      401,
      { code: 16, message: 'missing authentication headers', details: [] },
    ])
  })

  test('an order good till a time expires then', async () => {
    const { orders } = client()
    const goodTillTime = new Date(Date.now() - 1_000).toISOString()
    const { id } = await orders.create(order({ tif: 'TIME_IN_FORCE_GOOD_TILL_DATE', goodTillTime }))
    expect((await orders.retrieve(id)).order.state).toBe('ORDER_STATE_EXPIRED')
  })

  test('the gateway lists events and markets with the fields that an order needs', async () => {
    const { events, markets } = client()
    const { slug } = market()
    const found = (await markets.retrieveBySlug(slug)) as unknown as { market: Record<string, unknown> }
    expect(found.market).toMatchObject({
      slug,
      orderPriceMinTickSize: 0.01,
      minimumTradeQty: 1,
      feeCoefficient: 0.0695,
      marketSides: [{ long: true }, { long: false }],
    })
    expect((await markets.list({ slug: [slug] })).markets).toHaveLength(1)
    const page = (await events.list({ limit: 2, offset: 1, active: true })).events
    expect(page).toHaveLength(2)
    expect((await events.retrieveBySlug(page[0]!.slug)).event.slug).toBe(page[0]!.slug)
  })

  test('faults on request: dropped after acceptance, never accepted, forgotten, rejected', async () => {
    const { orders } = client()
    const { faults } = lab.polymarket_us
    const open = async () => (await orders.list()).orders.length
    const before = await open()
    faults.order({ fault: 'drop' })
    await expect(orders.create(order())).rejects.toThrow()
    expect(await open()).toBe(before + 1)
    faults.order({ fault: 'vanish' })
    await expect(orders.create(order())).rejects.toThrow()
    expect(await open()).toBe(before + 1)
    faults.order({ fault: 'forget' })
    const { id } = await orders.create(order())
    expect((await refusal(orders.retrieve(id)))[0]).toBe(404)
    faults.order({ fault: 'reject' })
    expect(await refusal(orders.create(order()))).toEqual([400, 'insufficient buying power'])
    faults.http({ status: 429, count: 1, retryAfterSeconds: 10 })
    expect(await refusal(orders.list())).toEqual([429, 'Too Many Requests'])
  })
})
