// The venue's own client builds, signs and posts the same order, byte for byte.
import { createL2Headers, OrderBuilder, orderToJsonV2, Side } from '@polymarket/clob-client-v2'
import fc from 'fast-check'
import { createWalletClient, type Hex, hashTypedData, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygon } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { depositWalletsOf } from '#venues/polymarket/exec/depositWallet'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import type { domainOf, OrderMessage, orderTypes } from '#venues/polymarket/exec/typedData'
import { createWorld, credentials, funder, idsOf, market, publicReads } from './world.ts'

describe('against the venue’s client', () => {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  const ticks = [
    ['0.1', 10],
    ['0.01', 100],
    ['0.005', 200],
    ['0.0025', 400],
    ['0.001', 1_000],
    ['0.0001', 10_000],
  ] as const
  const orders = fc
    .record({ tick: fc.constantFrom(...ticks), share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .chain(({ tick: [tick, steps], share }) =>
      fc.record({
        tick: fc.constant(tick),
        price: fc.constant((1 + Math.floor(share * (steps - 2))) / steps),
        size: fc.oneof(
          fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100),
          fc.integer({ min: 10, max: 100_000_000 }).map((mills) => mills / 1_000),
        ),
        isBuy: fc.boolean(),
        outcomeSide: fc.constantFrom('YES', 'NO'),
        negRisk: fc.boolean(),
        protocol: fc.constantFrom('v1' as const, 'v2' as const),
        signatureType: fc.constantFrom(0, 1, 2, 3),
        expiresAt: fc.constantFrom(0, 1_800_000_000),
        metadata: fc.uint8Array({ minLength: 32, maxLength: 32 }),
        builder: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      }),
    )
  const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

  it(`${randomOrders} random orders: artifact, hash, signature, posted text and headers are equal`, async () => {
    const key = privateKeyToAccount(generatePrivateKey())
    const wallet = createWalletClient({ account: key, chain: polygon, transport: http('http://127.0.0.1:1') })
    const [current, earlier] = depositWalletsOf(key.address)
    let given: { tick: string; negRisk: boolean; protocol: 'v1' | 'v2' } = {
      tick: '0.01',
      negRisk: false,
      protocol: 'v1',
    }
    world.answer((seen) =>
      seen.method === 'POST'
        ? { body: { success: true, orderID: 'seen', status: 'live' } }
        : publicReads(seen, {
            tick: Number(given.tick),
            negRisk: given.negRisk,
            mos: null,
            v: given.protocol,
            ids: idsOf(given.protocol),
          }),
    )
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        given = order
        world.outcomes.splice(0, world.outcomes.length, ...market(order.negRisk, 'active', order.protocol))
        world.seen.length = 0
        const proxied = order.signatureType !== 0
        const pays = order.signatureType === 3 ? (order.isBuy ? current : earlier) : (funder as Hex)
        const built = await buildOrder(lane, world.context, {
          outcome: '512345',
          outcomeSide: order.outcomeSide,
          isBuy: order.isBuy,
          price: order.price,
          size: order.size,
          owner: key.address.toLowerCase(),
          ...(proxied ? { funder: pays.toLowerCase() } : {}),
          signatureType: order.signatureType,
          expiresAt: order.expiresAt,
          metadata: hexOf(order.metadata),
          builder: hexOf(order.builder),
        })
        const { domain, types, primaryType, message } = built.unsigned as never as {
          domain: ReturnType<typeof domainOf>
          types: typeof orderTypes
          primaryType: 'Order'
          message: OrderMessage & { contents?: OrderMessage }
        }
        const { salt } = message.contents ?? message
        // The client’s salt is round(random × now): this random value makes it ours.
        const theirs = new OrderBuilder(wallet, 137, order.signatureType, proxied ? pays : undefined)
        const signedByThem = (await withSalt(salt, world.clock.now(), () =>
          theirs.buildOrder(
            {
              tokenID: idsOf(order.protocol)[order.outcomeSide === 'YES' ? 0 : 1],
              price: order.price,
              size: order.size,
              side: order.isBuy ? Side.BUY : Side.SELL,
              expiration: order.expiresAt,
              metadata: hexOf(order.metadata),
              builderCode: hexOf(order.builder),
            },
            { tickSize: order.tick as never, negRisk: order.negRisk },
            order.protocol === 'v2' ? 3 : 2,
          ),
        )) as never as Record<string, unknown> & { signature: Hex; salt: string }
        const typed = { domain, types, primaryType, message: message as never }
        if (order.signatureType !== 3) expect(hashTypedData(typed as never)).toBe(built.clientRef)
        const signature = await key.signTypedData(typed as never)
        const execution = executionOf(built)
        const { outcome, prepared } = await submit(lane, world.context, execution, { ...credentials, signature })
        expect(outcome).toMatchObject({ kind: 'accepted' })
        expect(prepared.venueRef).toBe(built.clientRef)
        const seen = world.seen.at(-1)!
        const text = JSON.stringify(
          orderToJsonV2(signedByThem as never, credentials.apiKey, (order.expiresAt === 0 ? 'GTC' : 'GTD') as never),
        )
        // A deposit wallet’s signature is longer; the posted text contains all of it.
        expect(signedByThem.signature.slice(0, 132)).toBe(signature)
        expect(seen.text).toBe(text)
        const headers = await createL2Headers(
          wallet,
          { key: credentials.apiKey, secret: credentials.secret, passphrase: credentials.passphrase },
          { method: 'POST', requestPath: '/order', body: text },
          Math.floor(world.clock.now() / 1_000),
        )
        for (const [name, value] of Object.entries(headers)) expect(seen.headers[name.toLowerCase()]).toBe(value)
      }),
      { numRuns: randomOrders },
    )
  }, 240_000)
})

/** The client’s salt is round(random × now), and `now` is also its timestamp: both are patched to ours. */
async function withSalt<T>(salt: string, nowMs: number, act: () => Promise<T>): Promise<T> {
  let drawn = false
  const random = vi.spyOn(Math, 'random').mockImplementation(() => {
    drawn = true
    return Number(salt)
  })
  const now = vi.spyOn(Date, 'now').mockImplementation(() => (drawn ? 1 : nowMs))
  try {
    return await act()
  } finally {
    random.mockRestore()
    now.mockRestore()
  }
}
