// The lab's order entry with a generic wallet: signed with viem, compared with recorded rows and the documentation.
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
const clock = new ManualClock()
beforeAll(async () => {
  lab = await startLab({ clock, seed: 'orders', venues: ['myriad'], ratePerSecond: 0, markets: 12 })
})
afterAll(() => lab.stop())
beforeEach(() => lab.myriad.faults.recover())

const wallet = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const uint = (name: string, type = 'uint256') => ({ name, type })
const types = {
  Order: [
    uint('trader', 'address'),
    uint('marketId'),
    uint('outcomeId', 'uint8'),
    uint('side', 'uint8'),
    ...['amount', 'price', 'minFillAmount', 'nonce', 'expiration'].map((name) => uint(name)),
  ],
}
const domain = {
  name: 'MyriadCTFExchange',
  version: '1',
  chainId: 56,
  verifyingContract: '0xa0b6f8ef8EdB64f395018D1933f2273Ce9f0f16A',
} as const

type Json = Record<string, unknown>
async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(lab.myriad.urls.REST + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const market = () => {
  const { listing, engine, book } = lab.myriad
  const found = listing.markets.find(({ model, key }) => model === 'ob' && engine.statusOf(key) === 'open')!
  const { bids, asks } = book(`56:ob:${found.id}:0`)!
  return { id: found.id, key: found.key, bid: bids[0]![0], ask: asks[0]![0] }
}
let nonce = 0
const order = (over: Json = {}) => ({
  trader: wallet.address,
  marketId: String(market().id),
  outcomeId: 0,
  side: 0,
  amount: `10${'0'.repeat(18)}`,
  price: `${market().bid}${'0'.repeat(12)}`,
  minFillAmount: '0',
  nonce: String(++nonce),
  expiration: '0',
  ...over,
})
const signatureOf = (message: Json) => wallet.signTypedData({ domain, types, primaryType: 'Order', message })
async function place(over: Json = {}, extra: Json = {}) {
  const message = order(over)
  const signature = await signatureOf(message)
  const posted = { order: message, signature, network_id: 56, time_in_force: 'GTC', ...extra }
  return { ...(await ask('POST', '/orders', posted)), message, signature }
}

/** A row of ccxt's recorded answers (MIT). */
const recorded = {
  orderHash: '0x758a1763c59bbe61c314f3c0c9b5bae0ad942120500eb39e3e8349bbe13990e0',
  clientOrderId: null,
  order: {
    trader: '0xd282B1436BC99A86eC24A164f7BEeed42CFE8511',
    marketId: 827,
    outcomeId: 0,
    side: 0,
    amount: '1000000000000000000',
    price: '10000000000000000',
    minFillAmount: '0',
    nonce: '1784793980668',
    expiration: '0',
  },
  status: 'cancelled',
  signatureType: 0,
  filledAmount: '0',
  timeInForce: 'GTC',
  createdAt: '2026-07-23T08:06:21.279Z',
  filledAt: null,
  networkId: 56,
  updatedAt: '2026-07-23T08:22:23.987Z',
  cancelledAt: '2026-07-23T08:22:23.987Z',
}
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, each]): [string, unknown] => [key, shapeOf(each)])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : typeof value

test('rests an order in the public book, returns it like recorded ones, and cancels it by its own signature', async () => {
  const { id, bid } = market()
  const size = async () => {
    const { body } = await ask('GET', `/markets/${id}/orderbook?network_id=56&outcome=0`)
    return Number((body.bids as [string, string][])[0]![1]) / 1e18
  }
  const before = await size()
  const { status, body, message, signature } = await place()
  expect([status, body]).toEqual([
    200,
    { orderHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), status: 'open', timeInForce: 'GTC' },
  ])
  expect(await size()).toBeCloseTo(before + 10)
  const gone = await ask('DELETE', `/orders/${body.orderHash}`, { order: message, signature, network_id: 56 })
  expect(gone.body).toEqual({ orderHash: body.orderHash, status: 'cancelled' })
  const row = (await ask('GET', `/orders/${body.orderHash}`)).body
  expect(shapeOf(row)).toEqual(shapeOf(recorded))
  expect(row).toMatchObject({
    status: 'cancelled',
    order: { ...message, marketId: id, price: `${bid}${'0'.repeat(12)}` },
  })
  const again = await ask('DELETE', `/orders/${body.orderHash}`, { order: message, signature, network_id: 56 })
  expect([again.status, again.body]).toEqual([400, { error: 'Order already cancelled' }])
  const { body: listed } = await ask('GET', `/orders?trader=${wallet.address}&status=cancelled`)
  expect((listed.data as Json[])[0]).toEqual(row)
})

test('outcome 1 is the other side of the one book; a crossing order is filled', async () => {
  const { bid, ask: offered } = market()
  const { body } = await place({ outcomeId: 1, price: `${1e6 - bid}${'0'.repeat(12)}`, amount: `1${'0'.repeat(18)}` })
  expect((await ask('GET', `/orders/${body.orderHash}`)).body).toMatchObject({
    status: 'filled',
    filledAmount: `1${'0'.repeat(18)}`,
    filledAt: expect.any(String),
  })
  const bought = await place({ price: `${offered}${'0'.repeat(12)}`, amount: '500000000000000000' })
  expect((await ask('GET', `/orders/${bought.body.orderHash}`)).body).toMatchObject({ status: 'filled' })
})

test('an order with an expiry is expired after that time', async () => {
  const expiration = String(Math.floor(clock.now() / 1_000) + 60)
  const { body } = await place({ expiration }, { time_in_force: 'GTD' })
  const status = async () => (await ask('GET', `/orders/${body.orderHash}`)).body.status
  expect(await status()).toBe('open')
  clock.advance(61_000)
  expect(await status()).toBe('expired')
})

describe('authentication', () => {
  test('accepts only what the trader signed for the right contract, once', async () => {
    const message = order()
    const signature = await signatureOf(message)
    const post = (over: Json) => ask('POST', '/orders', { order: message, signature, network_id: 56, ...over })
    const other = await wallet.signTypedData({
      domain: { ...domain, chainId: 97 },
      types,
      primaryType: 'Order',
      message,
    })
    for (const wrong of [{ signature: other }, { order: { ...message, nonce: '0' } }]) {
      expect(await post(wrong)).toEqual({ status: 400, body: { error: 'Invalid signature' } })
    }
    expect((await post({})).status).toBe(200)
    expect(await post({})).toEqual({ status: 409, body: { error: 'Order already exists' } })
  })

  test('rejects with the errors of the venue', async () => {
    const refused = async (over: Json, extra?: Json) => {
      const { status, body } = await place(over, extra)
      return [status, body.error]
    }
    const payload = [400, 'Invalid order payload']
    expect(await refused({ expiration: '1900000000' })).toEqual(payload)
    expect(await refused({}, { time_in_force: 'GTD' })).toEqual(payload)
    expect(await refused({ price: '0' })).toEqual(payload)
    expect(await refused({ price: '415000000000000000' })).toEqual(payload)
    expect(await refused({ amount: '1' })).toEqual(payload)
    expect(await refused({}, { network_id: 1 })).toEqual(payload)
    expect(await refused({ marketId: '999999' })).toEqual([404, 'Market not found'])
    expect(await ask('GET', `/orders/0x${'1'.repeat(64)}`)).toEqual({ status: 404, body: { error: 'Order not found' } })
    lab.myriad.faults.close({ market: `56:ob:${market().id}` })
    const closed = lab.myriad.listing.markets.find(({ key }) => lab.myriad.engine.statusOf(key) === 'closed')!
    expect(await refused({ marketId: String(closed.id) })).toEqual([400, 'Market is not open'])
  })
})

test('a redemption is a call to the contract that holds the shares', async () => {
  const { id } = market()
  const data = BigInt(id).toString(16).padStart(64, '0')
  for (const [path, selector] of [
    ['redeem', '0xa2e78653'],
    ['redeem-voided', '0x71f321a9'],
  ]) {
    expect((await ask('POST', `/positions/${path}`, { market_id: id, network_id: 56 })).body).toEqual({
      to: '0x6413734f92248D4B29ae35883290BD93212654Dc',
      calldata: selector + data,
      value: '0',
    })
  }
})
