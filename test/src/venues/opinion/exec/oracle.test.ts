// The venue's own client builds, signs and posts the same order, byte for byte.
import {
  Client,
  OrderBuilder,
  OrderSide,
  OrderType,
  SignatureType,
  Signer,
  ZERO_ADDRESS,
} from '@opinion-labs/opinion-clob-sdk'
import fc from 'fast-check'
import { type Hex, toBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import type { CtfMessage } from '#venues/shared/exec/ctfOrder'
import { credentials, exchange, market, marketId, ok, publicReads, quoteTokens, safe, tokens, usdt } from './world.ts'

describe('against the venue’s client', () => {
  let world: LaneWorld
  const privateKey = generatePrivateKey()
  const key = privateKeyToAccount(privateKey)
  beforeAll(async () => {
    world = await createLaneWorld('opinion', ['REST'])
    world.outcomes.push(...market())
    world.answer((seen) => {
      if (seen.method === 'POST') return ok({ orderData: { orderId: 'seen', filledShares: '0' } })
      if (seen.path.startsWith('/market/')) {
        return ok({ data: { marketId: Number(marketId), chainId: '56', quoteToken: usdt } })
      }
      return publicReads(seen, quoteTokens)
    })
    vi.spyOn(Date, 'now').mockImplementation(() => world.clock.now())
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await world.close()
  })

  const orders = fc.record({
    basisPoints: fc.integer({ min: 100, max: 9_900 }),
    hundredths: fc.integer({ min: 10_000, max: 500_000_000 }),
    isBuy: fc.boolean(),
    outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
    hasSafe: fc.boolean(),
    random: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  })

  /** The first four digits, padded to the same size. */
  const fourDigits = (units: bigint): bigint => {
    const text = units.toString()
    return BigInt(text.slice(0, 4).padEnd(text.length, '0'))
  }

  it(`${randomOrders} random cancellations: path, header and posted text are equal`, async () => {
    const options = { host: world.url, apiKey: credentials.apiKey, chainId: 56, rpcUrl: 'http://127.0.0.1:1' } as const
    const theirs = new Client({ ...options, privateKey, multiSigAddress: safe })
    const order = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.5', size: '20', owner: key.address }
    const built = await buildOrder(lane, world.context, order)
    await fc.assert(
      fc.asyncProperty(fc.uuid(), async (orderId) => {
        world.seen.length = 0
        await theirs.cancelOrder(orderId)
        const target = executionOf(built, { venueRef: orderId, status: 'acked' })
        const cancel = await lane.cancel!.build(world.context, target, {} as never)
        await submit(lane, world.context, executionOf(cancel, { target }, 'cancel'), credentials)
        const [other, ours] = world.seen
        expect([ours!.method, ours!.path, ours!.text]).toEqual([other!.method, other!.path, other!.text])
        expect(ours!.headers.apikey).toBe(other!.headers.apikey)
      }),
      { numRuns: randomOrders },
    )
  }, 120_000)

  it(`${randomOrders} random orders: amounts, hash, signature and posted text are equal`, async () => {
    const theirs = new Client({
      host: world.url,
      apiKey: credentials.apiKey,
      chainId: 56,
      rpcUrl: 'http://127.0.0.1:1',
      privateKey,
      multiSigAddress: safe,
    })
    await fc.assert(
      fc.asyncProperty(orders, async ({ basisPoints, hundredths, isBuy, outcomeSide, hasSafe, random }) => {
        const price = String(basisPoints / 10_000)
        // In millionths; the client is given four digits, which the lane also cuts to.
        const cash = fourDigits(BigInt(basisPoints) * BigInt(hundredths))
        const shares = fourDigits(BigInt(hundredths) * 10_000n)
        const given = String(Number(isBuy ? cash : shares) / 1_000_000)
        const tokenId = tokens[outcomeSide === 'YES' ? 0 : 1]
        const side = isBuy ? OrderSide.BUY : OrderSide.SELL
        const amount = isBuy ? { makerAmountInQuoteToken: given } : { makerAmountInBaseToken: given }
        world.seen.length = 0
        await theirs.placeOrder({
          marketId: Number(marketId),
          tokenId,
          side,
          orderType: OrderType.LIMIT_ORDER,
          price,
          ...amount,
        })
        const posted = world.seen.at(-1)!
        const postedBody = JSON.parse(posted.text) as Record<string, string>
        const bytes = hasSafe ? toBytes(BigInt(postedBody.salt!), { size: 32 }) : random
        const built = await buildOrder(
          lane,
          { ...world.context, randomBytes: () => bytes },
          {
            outcome: marketId,
            outcomeSide,
            isBuy,
            price,
            size: String(hundredths / 100),
            owner: key.address.toLowerCase(),
            ...(hasSafe && { safeAddress: safe.toLowerCase() }),
          },
        )
        const { message } = built.unsigned as { message: CtfMessage }
        expect([message.makerAmount, message.takerAmount]).toEqual([postedBody.makerAmount, postedBody.takerAmount])
        const signature = await key.signTypedData(built.unsigned as never)
        const { outcome } = await submit(lane, world.context, executionOf(built), { ...credentials, signature })
        expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'seen' })
        const ours = world.seen.at(-1)!
        expect(ours.headers.apikey).toBe(posted.headers.apikey)
        if (hasSafe) {
          expect(ours.text).toBe(posted.text)
          return
        }
        // The client always uses a Safe, its order builder does not.
        const builder = new OrderBuilder(exchange, 56, new Signer(privateKey), () => BigInt(message.salt))
        const alone = await builder.buildSignedOrder({
          maker: key.address,
          taker: ZERO_ADDRESS,
          tokenId,
          makerAmount: BigInt(message.makerAmount),
          takerAmount: BigInt(message.takerAmount),
          side,
          feeRateBps: '0',
          signatureType: SignatureType.EOA,
          signer: key.address,
          nonce: '0',
          expiration: '0',
        })
        expect([alone.order.maker, alone.signature]).toEqual([message.maker, signature as Hex])
      }),
      { numRuns: randomOrders },
    )
  }, 240_000)
})
