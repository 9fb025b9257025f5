// The venue’s own client builds and signs the same order: amounts, signature, headers, and the posted body except for the client order id,
// which it only sends when it replaces an order.
import {
  buildHMACMessage,
  computeHMACSignature,
  OrderBuilder,
  OrderSigner,
  OrderType,
  Side,
} from '@limitless-exchange/sdk'
import fc from 'fast-check'
import { type Hex, hashTypedData, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { hmac } from '#venues/limitless/exec/auth'
import { amountsOf } from '#venues/limitless/exec/build'
import { limitlessLane as lane } from '#venues/limitless/exec/index'
import { order as typed } from '#venues/limitless/exec/typedData'
import { buy, createWorld, credentials, exchange, placed, profile, shownProfile, slug, tokens } from './world.ts'

const key: Hex = `0x${'0123456789'.repeat(6)}0123`
const account = privateKeyToAccount(key)

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.seen.length = 0
  world.answer((seen) => shownProfile(seen) ?? { status: 201, body: placed })
})
afterAll(() => world.close())

describe('against the venue’s client', () => {
  const orders = fc.record({
    price: fc.integer({ min: 1, max: 999 }).map((mills) => mills / 1_000),
    size: fc.integer({ min: 1, max: 100_000_000 }).map((mills) => mills / 1_000),
    isBuy: fc.boolean(),
    outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  })

  /** Our options, and what the client posts for them; its `stpPolicy` belongs to the replacement of an order. */
  const kinds = [
    { name: 'good-til-cancel', options: {}, theirs: { orderType: OrderType.GTC } },
    { name: 'post-only', options: { postOnly: true }, theirs: { orderType: OrderType.GTC, postOnly: true } },
    {
      name: 'immediate-or-cancel',
      options: { timeInForce: 'immediate-or-cancel' },
      theirs: { orderType: OrderType.FAK },
    },
    { name: 'market', options: { type: 'market' }, theirs: { orderType: OrderType.FAK } },
    {
      name: 'self-trade prevention',
      options: { selfTradePrevention: 'cancel-both' },
      theirs: { orderType: OrderType.GTC, stpPolicy: 'cancel_both' },
    },
    {
      name: 'post-only with self-trade prevention',
      options: { postOnly: true, selfTradePrevention: 'cancel-maker' },
      theirs: { orderType: OrderType.GTC, postOnly: true, stpPolicy: 'cancel_maker' },
    },
    {
      name: 'market with self-trade prevention',
      options: { type: 'market', selfTradePrevention: 'cancel-taker' },
      theirs: { orderType: OrderType.FAK, stpPolicy: 'cancel_taker' },
    },
  ]

  it.each(kinds)(
    `${randomOrders} random $name orders: amounts, hash, signature, posted text and headers are equal`,
    async ({ options, theirs: words }) => {
      const theirs = new OrderBuilder(account.address, profile.rank.feeRateBps)
      // Only the typed data matters, so one signature serves both.
      const signer = new OrderSigner({
        getAddress: async () => account.address,
        signTypedData: async (domain: object, types: object, message: object) =>
          hashTypedData({ domain, types, primaryType: 'Order', message } as never),
      } as never)
      await fc.assert(
        fc.asyncProperty(orders, async ({ price, size, isBuy, outcomeSide }) => {
          world.seen.length = 0
          const built = await buildOrder(lane, world.context, {
            ...buy,
            ...('type' in options ? { price: undefined, worstPrice: price } : { price }),
            size,
            isBuy,
            outcomeSide,
            owner: account.address,
            ...options,
          })
          const { message } = built.unsigned as never as { message: { salt: string } }
          const tokenId = outcomeSide === 'YES' ? tokens.yes : tokens.no
          const theirOrder = theirs.buildOrder({ tokenId, price, size, side: isBuy ? Side.BUY : Side.SELL } as never)
          const order = { ...theirOrder, salt: Number(message.salt) }
          const signature = await account.signTypedData(built.unsigned as never)
          const config = { chainId: 8453, contractAddress: exchange } as never
          expect(await signer.signOrder(order as never, config)).toBe(built.clientRef)
          const { outcome } = await submit(lane, world.context, executionOf(built), { ...credentials, signature })
          expect(outcome).toMatchObject({ kind: 'accepted', venueRef: placed.order.id })
          const seen = world.seen.at(-1)!
          const { clientOrderId, ...posted } = JSON.parse(seen.text)
          expect(clientOrderId).toMatch(/^[0-9a-f-]{36}$/)
          const { orderType, ...further } = words
          const payload = {
            order: { ...order, signature },
            orderType,
            marketSlug: slug,
            ownerId: profile.id,
            ...further,
          }
          expect(JSON.stringify(posted)).toBe(JSON.stringify(payload))
          const { 'lmts-api-key': id, 'lmts-timestamp': timestamp, 'lmts-signature': mac } = seen.headers
          expect([id, timestamp]).toEqual([credentials.tokenId, new Date(world.clock.now()).toISOString()])
          expect(mac).toBe(computeHMACSignature(credentials.secret, String(timestamp), 'POST', '/orders', seen.text))
          // Never more than requested: at its price for a buyer, all the shares for a seller.
          expect(Number(built.notionalUsd)).toBeLessThanOrEqual(isBuy ? price * size * (1 + 1e-9) : 0)
        }),
        { numRuns: randomOrders },
      )
    },
    120_000,
  )

  it('rejects what the client rejects', async () => {
    const theirs = new OrderBuilder(account.address, 300)
    for (const [price, size] of [
      [0.6555, 10],
      [0.655, 3.0004],
      [1.2, 10],
      [0.5, -1],
    ] as const) {
      expect(() => theirs.buildOrder({ tokenId: tokens.yes, price, size, side: Side.BUY } as never)).toThrow()
      await expect(buildOrder(lane, world.context, { ...buy, price, size })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    }
  })
})

describe('vectors', () => {
  it('the HMAC of a call, from its tests', () => {
    const secret = Buffer.from('super-secret-key').toString('base64')
    const [time, path, body] = ['2026-03-23T12:34:56.789Z', '/orders?market=btc', '{"foo":"bar"}']
    expect(hmac(secret, time, 'PATCH', path, body)).toBe('mgMUpOd7FH4sOSti2MF30YKF9yDq+67VjFksPa5I5eE=')
    expect(buildHMACMessage(time, 'PATCH', path, body)).toBe(`${time}\nPATCH\n${path}\n${body}`)
  })

  it.each([
    [true, '0.65', '10', '6500000', '10000000'],
    [false, '0.65', '10', '10000000', '6500000'],
    [true, '0.333', '7.001', '2331333', '7001000'],
  ])('amounts: buys %s, %s, %s', (isBuy, price, size, makerAmount, takerAmount) => {
    expect(amountsOf(isBuy, price, size, '0.001')).toMatchObject({ makerAmount, takerAmount })
  })

  it('the struct, and the hash and signature of an order', async () => {
    const members = typed.types.Order.map(({ name, type }) => `${type} ${name}`).join(',')
    expect(keccak256(stringToHex(`Order(${members})`))).toBe(
      '0xa852566c4e14d00869b6db0220888a9090a13eccdaea03713ff0a3d27bf9767c',
    )
    const message = {
      salt: '1700000000000',
      maker: account.address,
      signer: account.address,
      taker: `0x${'0'.repeat(40)}`,
      tokenId: '19633204485790857949828516737993423758628930235371629943999544859324645414627',
      makerAmount: '6500000',
      takerAmount: '10000000',
      expiration: '0',
      nonce: '0',
      feeRateBps: '300',
      side: 0,
      signatureType: 0,
    } as const
    expect(typed.hash(message, exchange)).toBe('0x50c876ba78182b8bae695f10d28828dc6fbfd172ad4280e7907d9225d592de4f')
    expect(await account.signTypedData(typed.unsigned(message, exchange) as never)).toBe(
      '0x2113b80dbc44709ae99787a69f02ad069b3ff205c5d53e978145a143ce1898af02016836bd1ff35b7f6858ae11f79be851b49c99e39dfc4cece304c79ed459c21c',
    )
  })
})
