// The venue’s own client builds and signs the same order, byte for byte, for an EOA and for a smart wallet.
import { ChainId, OrderBuilder, Side } from '@predictdotfun/sdk'
import ccxt from 'ccxt'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'
import type { CtfMessage } from '#venues/shared/exec/ctfOrder'
import { credentials, market, marketId, signatureOf, smartWallet, tokens } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('predictfun', ['REST'])
  const placed = { success: true, data: { orderHash: `0x${'5a'.repeat(32)}`, orderId: '1' } }
  world.answer(() => ({ status: 201, body: placed }))
})
afterAll(() => world.close())

const orders = fc.record({
  // Three significant digits at any position.
  price: fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom(3, 4))
    .map(([digits, places]) => (digits / 10 ** places).toFixed(places).replace(/0+$/, '')),
  size: fc.oneof(
    fc.integer({ min: 1, max: 100_000_000 }).map((cents) => String(cents / 100)),
    fc.bigInt({ min: 10n ** 16n, max: 10n ** 25n }).map((wei) => {
      const text = wei.toString().padStart(19, '0')
      return `${text.slice(0, -18)}.${text.slice(-18)}`
    }),
  ),
  isBuy: fc.boolean(),
  outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  negRisk: fc.boolean(),
  isYieldBearing: fc.boolean(),
  feeRateBps: fc.constantFrom(0, 100, 200),
  isSmart: fc.boolean(),
})

const weiOf = (decimal: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'))
}

/** Our options; the client builds the order, and what is posted with it is that of the documentation (create-an-order). */
const kinds = [
  { name: 'plain', options: {}, posted: {} },
  { name: 'good-til-date', options: { expiresAt: 1_900_000_000 }, posted: {} },
  { name: 'post-only', options: { postOnly: true }, posted: { isPostOnly: true } },
  {
    name: 'self-trade prevention',
    options: { selfTradePrevention: 'cancel-maker' },
    posted: { selfTradePrevention: 'CANCEL_MAKER' },
  },
  {
    name: 'all options',
    options: { expiresAt: 1_900_000_000, postOnly: true, selfTradePrevention: 'cancel-both' },
    posted: { isPostOnly: true, selfTradePrevention: 'CANCEL_BOTH' },
  },
]

it.each(kinds)(
  `${randomOrders} random $name orders: amounts, typed data, hash, signature and posted text are equal`,
  async ({ options, posted }) => {
    const key = privateKeyToAccount(generatePrivateKey())
    await fc.assert(
      fc.asyncProperty(orders, async ({ price, size, isBuy, outcomeSide, isSmart, feeRateBps, ...kind }) => {
        const fees = { taker: String(feeRateBps / 10_000), maker: '0' }
        world.outcomes.splice(0, world.outcomes.length, ...market({ ...kind, tickSize: null, more: { fees } }))
        world.seen.length = 0
        const wallet = isSmart ? { predictAccount: smartWallet.toLowerCase() } : {}
        const body = { outcome: marketId, outcomeSide, isBuy, price, size, owner: key.address, ...wallet, ...options }
        const built = await buildOrder(lane, world.context, body)
        const { message } = built.unsigned as { message: CtfMessage }
        const signature = await signatureOf(built.unsigned, key)
        const { prepared, outcome } = await submit(lane, world.context, executionOf(built), {
          ...credentials,
          signature,
        })
        expect(outcome.kind).toBe('accepted')

        const theirs = OrderBuilder.make(ChainId.BnbMainnet)
        // The client’s own smart wallet support reads the owner from the chain.
        Object.assign(theirs as object, {
          signer: {
            address: key.address,
            signTypedData: (domain: object, types: object, typedMessage: object) =>
              key.signTypedData({ domain, types, primaryType: 'Order', message: typedMessage } as never),
            signMessage: (raw: Uint8Array) => key.signMessage({ message: { raw } }),
          },
          ...(isSmart && { predictAccount: smartWallet }),
        })
        const amounts = theirs.getLimitOrderAmounts({
          side: isBuy ? Side.BUY : Side.SELL,
          pricePerShareWei: weiOf(price),
          quantityWei: weiOf(size),
        })
        const order = theirs.buildOrder('LIMIT', {
          side: isBuy ? Side.BUY : Side.SELL,
          tokenId: tokens[outcomeSide === 'YES' ? 0 : 1],
          makerAmount: amounts.makerAmount,
          takerAmount: amounts.takerAmount,
          feeRateBps,
          salt: message.salt,
          ...('expiresAt' in options && { expiresAt: new Date(options.expiresAt! * 1_000) }),
        })
        const { negRisk: isNegRisk, isYieldBearing } = kind
        const typed = theirs.buildTypedData(order, { isNegRisk, isYieldBearing })
        const hash = theirs.buildTypedDataHash(typed)
        const signed = await theirs.signTypedDataOrder(typed)
        const { post: _, kernel: __, ...ours } = built.unsigned
        expect(ours).toEqual(typed)
        expect([built.clientRef, prepared.venueRef]).toEqual([hash, hash])
        const data = {
          order: { ...signed, hash },
          pricePerShare: String(amounts.pricePerShare),
          strategy: 'LIMIT',
          ...posted,
        }
        expect(world.seen.at(-1)).toMatchObject({
          path: '/v1/orders',
          text: JSON.stringify({ data }),
          headers: { 'x-api-key': credentials.apiKey, authorization: `Bearer ${credentials.jwt}` },
        })
      }),
      { numRuns: randomOrders },
    )
  },
  240_000,
)

it(`${randomOrders} random cancellations are sent like ccxt sends them`, async () => {
  const oracle = new ccxt.prediction.predictfun() as unknown as Signing
  oracle.apiKey = credentials.apiKey
  oracle.options.jwtToken = credentials.jwt
  world.outcomes.splice(0, world.outcomes.length, ...market())
  const order = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.5', size: '20' }
  const built = await buildOrder(lane, world.context, { ...order, owner: `0x${'12'.repeat(20)}` })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
      const hash = `0x${Buffer.from(bytes).toString('hex')}`
      world.answer(() => ({ body: { success: true, removed: [hash], noop: [], rejected: [] } }))
      const target = executionOf(built, { venueRef: hash, status: 'acked' })
      const cancel = await lane.cancel!.build(world.context, target, {} as never)
      const { outcome } = await submit(lane, world.context, executionOf(cancel, { target }, 'cancel'), credentials)
      expect(outcome).toMatchObject({ kind: 'accepted', venueRef: hash })
      const theirs = oracle.sign('v1/orders/remove-by-hash', 'predictfun', 'POST', { data: { hashes: [hash] } })
      expect(world.seen.at(-1)).toMatchObject({
        method: theirs.method,
        path: new URL(theirs.url).pathname,
        text: theirs.body,
        headers: { 'x-api-key': theirs.headers['x-api-key'], authorization: theirs.headers.Authorization },
      })
    }),
    { numRuns: randomOrders },
  )
}, 60_000)

interface Signing {
  apiKey: string
  options: Record<string, unknown>
  sign(
    path: string,
    api: string,
    method: string,
    params: object,
  ): { url: string; method: string; body: string; headers: Record<string, string> }
}
