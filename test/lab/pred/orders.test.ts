// The lab's order entry: the login and the orders are signed here as in the documentation of the venue.
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'

const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const zero = `0x${'0'.repeat(40)}` as const
const clock = new ManualClock()
let lab: Lab
let session: { access_token: string; proxy_wallet_addr: `0x${string}` }

const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${lab.pred.urls.REST}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

const logIn = async (over: object = {}, apiKey = lab.pred.credentials.API_KEY) =>
  call(
    'POST',
    '/auth/login-with-signature',
    {
      data: {
        wallet_address: account.address,
        signature: await account.signTypedData({
          domain: {
            name: 'Pred Contract Proxy Factory',
            chainId: 8453,
            verifyingContract: '0xA077e7aaBF2e3c0155F83789e95f46602D03F7f0',
          },
          types: {
            CreateProxy: [
              { name: 'paymentToken', type: 'address' },
              { name: 'payment', type: 'uint256' },
              { name: 'paymentReceiver', type: 'address' },
            ],
          },
          primaryType: 'CreateProxy',
          message: { paymentToken: zero, payment: 0n, paymentReceiver: zero },
        }),
        message: 'log in',
        nonce: '1',
        chain_type: 'base',
        timestamp: Math.floor(clock.now() / 1_000),
        ...over,
      },
    },
    { 'x-api-key': apiKey },
  )

beforeAll(async () => {
  lab = await startLab({ clock, seed: 'orders', venues: ['pred'], ratePerSecond: 0 })
  session = (await logIn()).body.data as never
})
afterAll(() => lab.stop())

const headers = (over: Record<string, string> = {}) => ({
  authorization: `Bearer ${session.access_token}`,
  'x-wallet-address': account.address,
  'x-proxy-address': session.proxy_wallet_addr,
  ...over,
})

function market() {
  const { listing, engine, book } = lab.pred
  const child = listing.children.find(
    ({ key, id, parent }) => engine.statusOf(key) === 'open' && book(`${parent.id}-${id}`)!.bids[0]![0] > 200_000,
  )!
  return { child, bid: book(`${child.parent.id}-${child.id}`)!.bids[0]![0] / 10_000 }
}

let salts = 0
async function order(over: Record<string, unknown> = {}, signedOver: object = {}) {
  const { child, bid } = market()
  const salt = `02${String(++salts).padStart(10, '0')}`
  const signature = await account.signTypedData({
    domain: {
      name: 'Pred CTF Exchange',
      version: '1',
      chainId: 8453,
      verifyingContract: child.parent.contract as `0x${string}`,
    },
    types: {
      Order: [
        { name: 'salt', type: 'uint256' },
        { name: 'maker', type: 'address' },
        { name: 'signer', type: 'address' },
        { name: 'taker', type: 'address' },
        { name: 'price', type: 'uint256' },
        { name: 'quantity', type: 'uint256' },
        { name: 'expiration', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'questionId', type: 'bytes32' },
        { name: 'feeRateBps', type: 'uint256' },
        { name: 'intent', type: 'uint8' },
        { name: 'signatureType', type: 'uint8' },
      ],
    },
    primaryType: 'Order',
    message: {
      salt: BigInt(salt),
      maker: session.proxy_wallet_addr,
      signer: account.address,
      taker: zero,
      price: BigInt(bid * 10_000),
      quantity: 10_000_000n,
      expiration: 0n,
      nonce: 0n,
      questionId: child.id as `0x${string}`,
      feeRateBps: 0n,
      intent: 0,
      signatureType: 2,
      ...signedOver,
    },
  })
  return {
    salt,
    market_id: child.id,
    side: 'long',
    price: String(bid),
    quantity: '10',
    signature,
    timestamp: Math.floor(clock.now() / 1_000),
    ...over,
  }
}
const path = (what: string) => `/order/${market().child.parent.id}/${what}`
const place = async (body: object, over = {}) => call('POST', path('place'), body, headers(over))

describe('a login', () => {
  test('returns a token and the same Safe each time; a wrong key or signature returns none', async () => {
    const again = (await logIn()).body.data as unknown as typeof session
    expect(again.proxy_wallet_addr).toBe(session.proxy_wallet_addr)
    expect((await logIn({}, 'none')).status).toBe(401)
    expect((await logIn({ wallet_address: session.proxy_wallet_addr })).status).toBe(401)
    expect((await logIn({ chain_type: 'base-sepolia' })).status).toBe(400)
  })
})

describe('an order', () => {
  test('is accepted, listed while it rests, answered equally when repeated, and canceled once', async () => {
    const body = await order()
    const taken = await place(body)
    expect(taken).toMatchObject({ status: 202, body: { status: 'open_order', order_id: expect.any(String) } })
    expect(await place(body)).toEqual(taken)
    const listed = await call('GET', path('open-orders'), undefined, headers())
    expect(listed.body.orders).toEqual([
      {
        order_id: taken.body.order_id,
        market_id: body.market_id,
        market_name: expect.any(String),
        parent_market_id: market().child.parent.id,
        side: 'long',
        price: body.price,
        quantity: '10',
        remaining_quantity: '10',
      },
    ])
    const wanted = { order_id: taken.body.order_id, market_id: body.market_id }
    expect(await call('DELETE', path('cancel'), wanted, headers())).toMatchObject({
      status: 200,
      body: { status: 'user_cancelled', success: true },
    })
    expect((await call('DELETE', path('cancel'), wanted, headers())).status).toBe(404)
    expect((await call('GET', path('open-orders'), undefined, headers())).body.orders).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['too few shares', { quantity: '4' }],
    ['hundredths of a share', { quantity: '10.25' }],
    ['a price of zero', { price: '0' }],
    ['a price of one dollar', { price: '100' }],
    ['an expiry a minute ago', { timestamp: 0 }],
    ['milliseconds', { timestamp: clock.now() }],
    ['a fee', { fee_rate_bps: 1 }],
    ['an invalid salt', { salt: '7' }],
    ['a size that differs from the signed one', { quantity: '11' }],
    ['a side that differs from the signed one', { side: 'short' }],
    ['another market', { market_id: `0x${'1'.repeat(64)}` }],
  ])('is rejected for %s', async (_, over) => {
    expect(await place(await order(over))).toMatchObject({ status: 400, body: { success: false } })
  })

  test('is rejected with another maker, off the tick, or without its account', async () => {
    expect((await place(await order({}, { maker: zero }))).status).toBe(400)
    const { bid } = market()
    const half = await order({ price: String(bid - 0.5) }, { price: BigInt((bid - 0.5) * 10_000) })
    expect(await place(half)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PRICE' } } })
    for (const over of [{ authorization: 'Bearer x' }, { 'x-wallet-address': zero }, { 'x-proxy-address': zero }]) {
      expect((await place(await order(), over)).status).toBe(401)
    }
    expect(
      lab.pred.engine.orderManager.ordersOf(session.proxy_wallet_addr).filter(({ status }) => status === 'open'),
    ).toEqual([])
  })
})
