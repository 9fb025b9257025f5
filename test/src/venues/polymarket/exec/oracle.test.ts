// The venue's own client builds, signs and posts the same order, byte for byte.
import { ClobClient, createL2Headers, OrderBuilder, OrderType, orderToJsonV2, Side } from '@polymarket/clob-client-v2'
import fc from 'fast-check'
import { createWalletClient, type Hex, hashTypedData, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygon } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomChanges, randomOrders } from '#test/support/randomOrders'
import { depositWalletsOf } from '#venues/polymarket/exec/depositWallet'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import type { domainOf, OrderMessage, orderTypes } from '#venues/polymarket/exec/typedData'
import { createWorld, credentials, funder, idsOf, market as marketRows, publicReads } from './world.ts'

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
  /** Beyond a plain order: what our body states, and the word that the client posts. */
  const kinds = [
    { name: 'good-til-cancel and good-til-date', options: {}, word: null, postOnly: false },
    { name: 'post-only', options: { postOnly: true }, word: null, postOnly: true },
    { name: 'fill-or-kill', options: { timeInForce: 'fill-or-kill' }, word: OrderType.FOK, postOnly: false },
    {
      name: 'immediate-or-cancel',
      options: { timeInForce: 'immediate-or-cancel' },
      word: OrderType.FAK,
      postOnly: false,
    },
    { name: 'market', options: { type: 'market' }, word: OrderType.FAK, postOnly: false },
  ] as const
  /** Shares that cost whole cents: the client is given the money, and derives the shares from it. */
  const wholeCents = (price: number, size: number): number => {
    const scale = 10 ** (String(price).split('.')[1]?.length ?? 0)
    const steps = Math.round(price * scale)
    const hundredths = scale / commonDivisor(steps, scale)
    return (Math.max(1, Math.round((size * 100) / hundredths)) * hundredths) / 100
  }
  const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

  it.each(kinds)(
    `${randomOrders} random $name orders: artifact, hash, signature, posted text and headers are equal`,
    async ({ options, word, postOnly }) => {
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
        fc.asyncProperty(orders, async (drawn) => {
          const neverRests = word !== null
          const order = {
            ...drawn,
            size: neverRests && drawn.isBuy ? wholeCents(drawn.price, drawn.size) : drawn.size,
            expiresAt: neverRests ? 0 : drawn.expiresAt,
          }
          given = order
          world.outcomes.splice(0, world.outcomes.length, ...marketRows(order.negRisk, 'active', order.protocol))
          world.seen.length = 0
          const proxied = order.signatureType !== 0
          const pays = order.signatureType === 3 ? (order.isBuy ? current : earlier) : (funder as Hex)
          const built = await buildOrder(lane, world.context, {
            outcome: '512345',
            outcomeSide: order.outcomeSide,
            isBuy: order.isBuy,
            ...('type' in options ? { worstPrice: order.price } : { price: order.price }),
            size: order.size,
            ...options,
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
          const requested = {
            tokenID: idsOf(order.protocol)[order.outcomeSide === 'YES' ? 0 : 1],
            price: order.price,
            side: order.isBuy ? Side.BUY : Side.SELL,
            metadata: hexOf(order.metadata),
            builderCode: hexOf(order.builder),
          }
          const market = { tickSize: order.tick as never, negRisk: order.negRisk }
          const version = order.protocol === 'v2' ? 3 : 2
          const signedByThem = (await withSalt(salt, world.clock.now(), () =>
            word === null
              ? theirs.buildOrder({ ...requested, size: order.size, expiration: order.expiresAt }, market, version)
              : theirs.buildMarketOrder(
                  // Of a purchase the money, of a sale the shares.
                  {
                    ...requested,
                    amount: order.isBuy ? Math.round(order.price * order.size * 100) / 100 : order.size,
                    orderType: word,
                  },
                  market,
                  version,
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
            orderToJsonV2(
              signedByThem as never,
              credentials.apiKey,
              word ?? (order.expiresAt === 0 ? OrderType.GTC : OrderType.GTD),
              postOnly,
            ),
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
    },
    240_000,
  )

  it(`${randomChanges} random cancellations: method, path, headers and text are equal`, async () => {
    const key = privateKeyToAccount(generatePrivateKey())
    const wallet = createWalletClient({ account: key, chain: polygon, transport: http('http://127.0.0.1:1') })
    const { apiKey, secret, passphrase } = credentials
    const theirs = new ClobClient({
      host: world.url,
      chain: 137,
      signer: wallet,
      creds: { key: apiKey, secret, passphrase },
    })
    world.outcomes.splice(0, world.outcomes.length, ...marketRows(false, 'active', 'v1'))
    world.answer((seen) =>
      seen.method === 'DELETE'
        ? { body: { canceled: [(JSON.parse(seen.text) as { orderID: string }).orderID], not_canceled: {} } }
        : publicReads(seen, { tick: 0.01, negRisk: false, mos: null, v: 'v1', ids: idsOf('v1') }),
    )
    const order = { outcome: '512345', outcomeSide: 'YES', isBuy: true, price: 0.5, size: 20, owner: key.address }
    const placed = await buildOrder(lane, world.context, order)
    const now = vi.spyOn(Date, 'now').mockImplementation(() => world.clock.now())
    try {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
          world.seen.length = 0
          const venueRef = hexOf(bytes)
          const target = executionOf(placed, { venueRef, status: 'acked' })
          const cancel = await lane.cancel!.build(world.context, target, {} as never)
          const { outcome } = await submit(lane, world.context, executionOf(cancel, { target }, 'cancel'), credentials)
          expect(outcome).toMatchObject({ kind: 'accepted', venueRef })
          await theirs.cancelOrder({ orderID: venueRef })
          const [ours, other] = world.seen
          expect([ours!.method, ours!.path, ours!.text]).toEqual([other!.method, other!.path, other!.text])
          const names = Object.keys(other!.headers).filter((name) => name.startsWith('poly_'))
          expect(names.length).toBeGreaterThanOrEqual(5)
          for (const name of names) expect(ours!.headers[name]).toBe(other!.headers[name])
        }),
        { numRuns: randomChanges },
      )
    } finally {
      now.mockRestore()
    }
  }, 120_000)
})

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

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
