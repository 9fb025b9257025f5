// The lab's order entry with the venue's own generated client.
import { Configuration, OrdersApi, PortfolioApi } from 'kalshi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'orders', venues: ['kalshi'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

function clients() {
  const { credentials, urls } = lab.kalshi
  const configuration = new Configuration({
    apiKey: credentials.API_KEY_ID,
    privateKeyPem: credentials.PRIVATE_KEY_PEM,
    basePath: urls.REST,
  })
  return { orders: new OrdersApi(configuration), portfolio: new PortfolioApi(configuration) }
}

function market() {
  const { listing, engine } = lab.kalshi
  const found = listing.markets.find(
    ({ key }) => engine.statusOf(key) === 'open' && engine.glance(key)?.book.grid.name === 'cent',
  )
  if (found === undefined) throw new Error('the lab has no such market')
  const live = engine.market(found.key)!
  const { bids, asks } = live.truth()
  return { ticker: found.ticker, live, bids, asks }
}

const text = (micros: number): string => (micros / 1e6).toFixed(4)
const order = (over: object = {}) => ({
  ticker: market().ticker,
  client_order_id: crypto.randomUUID(),
  side: 'bid' as const,
  count: '10.00',
  price: text(market().bids[0]![0]),
  time_in_force: 'good_till_canceled' as const,
  self_trade_prevention_type: 'taker_at_cross' as const,
  ...over,
})

/** Status and body of a rejected call. */
async function refusal(call: Promise<unknown>): Promise<[number, string]> {
  const { response } = (await call.then(
    () => {
      throw new Error('the request was not rejected')
    },
    (error: unknown) => error,
  )) as { response: { status: number; data: { error?: { code?: string }; code?: string } } }
  return [response.status, response.data.error?.code ?? response.data.code ?? '']
}

describe('order entry with the official client', () => {
  test('rests an order, returns it, amends it, and cancels it once', async () => {
    const { orders } = clients()
    const wanted = order()
    const { status, data } = await orders.createOrderV2(wanted)
    expect(status).toBe(201)
    expect(data).toMatchObject({
      client_order_id: wanted.client_order_id,
      fill_count: '0.00',
      remaining_count: '10.00',
    })
    const read = async () => (await orders.getOrder(data.order_id)).data.order
    expect(await read()).toMatchObject({ status: 'resting', yes_price_dollars: wanted.price, book_side: 'bid' })
    const lower = text(market().bids[0]![0] - 10_000)
    const { ticker } = wanted
    await orders.amendOrderV2(data.order_id, { ticker, side: 'bid', price: lower, count: '12.00' })
    expect(await read()).toMatchObject({ initial_count_fp: '12.00', yes_price_dollars: lower })
    expect((await orders.cancelOrderV2(data.order_id)).data.reduced_by).toBe('12.00')
    expect((await read()).status).toBe('canceled')
    expect(await refusal(orders.cancelOrderV2(data.order_id))).toEqual([404, 'not_found'])
  })

  test('fills a crossing order at the resting price and returns its fills with fees', async () => {
    const { orders, portfolio } = clients()
    const { asks } = market()
    const [price, size] = asks[0]!
    const count = Math.min(3, Math.floor(size)).toFixed(2)
    const { data } = await orders.createOrderV2(order({ price: text(price), count }))
    expect(data).toMatchObject({ fill_count: count, remaining_count: '0.00', average_fill_price: text(price) })
    const { fills } = (await portfolio.getFills(undefined, data.order_id)).data
    expect(fills).toMatchObject([
      { order_id: data.order_id, count_fp: count, yes_price_dollars: text(price), is_taker: true },
    ])
    expect((await orders.getOrder(data.order_id)).data.order.status).toBe('executed')
  })

  test('rejects duplicate-id, wrongly typed, off-grid, crossing post-only, unfilled fill-or-kill and unsigned orders', async () => {
    const { orders } = clients()
    const { asks } = market()
    const once = order()
    await orders.createOrderV2(once)
    expect(await refusal(orders.createOrderV2(once))).toEqual([409, 'order_already_exists'])
    expect(await refusal(orders.createOrderV2({ ...order(), count: 10 } as never))).toEqual([400, 'bad_request'])
    expect(await refusal(orders.createOrderV2(order({ price: '0.4050' })))).toEqual([400, 'invalid_price'])
    const crossing = { price: text(asks[0]![0]) }
    expect(await refusal(orders.createOrderV2(order({ ...crossing, post_only: true })))).toEqual([400, 'invalid_order'])
    const killed = order({ ...crossing, count: '900000.00', time_in_force: 'fill_or_kill' })
    expect(await refusal(orders.createOrderV2(killed))).toEqual([400, 'fill_or_kill_insufficient_resting_volume'])
    expect(await refusal(orders.createOrderV2(order({ ticker: 'KXNOSUCH-1' })))).toEqual([404, 'not_found'])
    const unsigned = await fetch(`${lab.kalshi.urls.REST}/portfolio/events/orders`, {
      method: 'POST',
      body: JSON.stringify(order()),
    })
    expect([unsigned.status, await unsigned.json()]).toMatchObject([
      401,
      { error: { code: 'signature_is_missing_from_headers' } },
    ])
  })

  test('cancels an order that meets another one of its own account', async () => {
    const { orders } = clients()
    const { bids, asks } = market()
    const between = bids[0]![0] + 10_000
    const price = text(between < asks[0]![0] ? between : bids[0]![0])
    const maker = (await orders.createOrderV2(order({ price }))).data
    const taker = (await orders.createOrderV2(order({ price, side: 'ask', count: '1.00' }))).data
    expect(taker).toMatchObject({ fill_count: '0.00', remaining_count: '0.00' })
    expect((await orders.getOrder(maker.order_id)).data.order.status).toBe('resting')
  })

  test('faults on request: dropped after acceptance, never accepted, forgotten, rejected', async () => {
    const { orders } = clients()
    const { faults, engine } = lab.kalshi
    const known = (id: string) => engine.orderManager.findByClientId(lab.kalshi.credentials.API_KEY_ID, id) !== null
    for (const [fault, taken] of [
      ['drop', true],
      ['vanish', false],
    ] as const) {
      const wanted = order()
      faults.order({ fault })
      await expect(orders.createOrderV2(wanted)).rejects.toThrow()
      expect(known(wanted.client_order_id)).toBe(taken)
    }
    faults.order({ fault: 'forget' })
    const forgottenOrder = await orders.createOrderV2(order())
    expect(await refusal(orders.getOrder(forgottenOrder.data.order_id))).toEqual([404, 'not_found'])
    faults.order({ fault: 'reject' })
    expect(await refusal(orders.createOrderV2(order()))).toEqual([400, 'insufficient_balance'])
  })
})
