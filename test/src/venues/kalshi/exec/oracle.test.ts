// Compares with the venue’s own generated client: the same method, path and body text, and a signature that also verifies.
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import fc from 'fast-check'
import {
  BookSide,
  Configuration,
  type CreateOrderV2Request,
  CreateOrderV2RequestTimeInForceEnum,
  OrdersApi,
  SelfTradePreventionType,
} from 'kalshi-typescript'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { binaryMarket, buildOrder, createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomChanges, randomOrders } from '#test/support/randomOrders'
import { kalshiLane as lane } from '#venues/kalshi/exec/index'

const ticker = 'KXTEST-26-A'
const base = '/trade-api/v2'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const credentials = {
  apiKeyId: 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c',
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}

let world: LaneWorld
let theirs: OrdersApi
beforeAll(async () => {
  world = await createLaneWorld('kalshi', ['REST'])
  world.context = { ...world.context, urls: { REST: `${world.url}${base}` } }
  world.outcomes.push(
    ...binaryMarket('kalshi', ticker, [ticker, `${ticker}-NO`], { sourceMetadata: { marketType: 'binary' } }),
  )
  theirs = new OrdersApi(
    new Configuration({
      apiKey: credentials.apiKeyId,
      privateKeyPem: credentials.privateKeyPem,
      basePath: `${world.url}${base}`,
    }),
  )
})
beforeEach(() => {
  world.answer(() => ({ status: 201, body: { order_id: 'o-1' } }))
  world.seen.length = 0
})
afterAll(() => world.close())

const signedText = (at: number): { text: string; valid: boolean } => {
  const { headers, method, path } = world.seen[at]!
  const time = String(headers['kalshi-access-timestamp'])
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  const signature = Buffer.from(String(headers['kalshi-access-signature']), 'base64')
  const text = `${method}${path.split('?')[0]}`
  return { text, valid: verify('sha256', Buffer.from(`${time}${text}`), key, signature) }
}

/** Our request was recorded first, theirs second. */
function expectAlike(): void {
  const [ours, other] = world.seen
  expect(world.seen).toHaveLength(2)
  expect([ours!.method, ours!.path, ours!.text]).toEqual([other!.method, other!.path, other!.text])
  expect(ours!.headers['kalshi-access-key']).toBe(other!.headers['kalshi-access-key'])
  expect(signedText(0)).toEqual({ text: signedText(1).text, valid: true })
  expect(signedText(1).valid).toBe(true)
  world.seen.length = 0
}

const orders = fc.record({
  outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  isBuy: fc.boolean(),
  cents: fc.integer({ min: 1, max: 99 }),
  size: fc.integer({ min: 1, max: 999_999_999 }),
  reduceOnly: fc.boolean(),
  timeInForce: fc.constantFrom('good-til-cancel', undefined),
})

interface Drawn {
  expiresAt?: number
  postOnly?: boolean
  clientOrderId?: string
}

/** Options of ours, and the members of the client’s request that they become. */
const options = [
  { name: 'plain', draw: fc.constant({}), theirs: () => ({}) },
  {
    name: 'good-til-date',
    draw: fc.record({ expiresAt: fc.integer({ min: 1_900_000_000, max: 9_999_999_999 }) }),
    theirs: ({ expiresAt }: Drawn) => ({ expiration_time: expiresAt! }),
  },
  { name: 'post-only', draw: fc.constant({ postOnly: true }), theirs: () => ({ post_only: true }) },
  { name: 'client order id', draw: fc.record({ clientOrderId: fc.uuid({ version: 4 }) }), theirs: () => ({}) },
  {
    name: 'all options',
    draw: fc.record({
      expiresAt: fc.integer({ min: 1_900_000_000, max: 9_999_999_999 }),
      postOnly: fc.constant(true),
      clientOrderId: fc.uuid({ version: 4 }),
    }),
    theirs: ({ expiresAt }: Drawn) => ({ expiration_time: expiresAt!, post_only: true }),
  },
]

describe('requests equal the official client’s', () => {
  it.each(options)(
    `${randomOrders} random orders ($name), byte for byte`,
    async ({ draw, theirs: memberOf }) => {
      await fc.assert(
        fc.asyncProperty(orders, draw as fc.Arbitrary<Drawn>, async (order, drawn) => {
          const { outcomeSide, isBuy, cents, size, reduceOnly } = order
          // An expiry is not good-til-cancel.
          const timeInForce = 'expiresAt' in drawn ? undefined : order.timeInForce
          world.seen.length = 0
          const body = { outcome: ticker, outcomeSide, isBuy, price: cents / 100, size, reduceOnly }
          const built = await buildOrder(lane, world.context, {
            ...body,
            ...drawn,
            ...(timeInForce && { timeInForce }),
          })
          if (drawn.clientOrderId !== undefined) expect(built.clientRef).toBe(drawn.clientOrderId)
          await submit(lane, world.context, executionOf(built), credentials)
          const yes = outcomeSide === 'YES' ? cents : 100 - cents
          const request: CreateOrderV2Request = {
            ticker,
            client_order_id: built.clientRef!,
            side: isBuy === (outcomeSide === 'YES') ? BookSide.Bid : BookSide.Ask,
            count: `${size}.00`,
            price: (yes / 100).toFixed(4),
            time_in_force: CreateOrderV2RequestTimeInForceEnum.GoodTillCanceled,
            self_trade_prevention_type: SelfTradePreventionType.TakerAtCross,
            ...(reduceOnly ? { reduce_only: true } : {}),
            ...memberOf(drawn),
          }
          await theirs.createOrderV2(request)
          expectAlike()
        }),
        { numRuns: randomOrders },
      )
    },
    120_000,
  )

  const changes = fc.record({
    outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
    isBuy: fc.boolean(),
    cents: fc.integer({ min: 1, max: 99 }),
    size: fc.integer({ min: 1, max: 999_999_999 }),
    venueRef: fc.uuid(),
    change: fc
      .record(
        {
          cents: fc.integer({ min: 1, max: 99 }),
          size: fc.integer({ min: 1, max: 999_999_999 }),
        },
        { requiredKeys: [] },
      )
      .filter(({ cents, size }) => cents !== undefined || size !== undefined),
  })

  it(`${randomChanges} random cancellations and modifications`, async () => {
    await fc.assert(
      fc.asyncProperty(changes, async ({ outcomeSide, isBuy, cents, size, venueRef, change }) => {
        world.seen.length = 0
        const order = { outcome: ticker, outcomeSide, isBuy, price: (cents / 100).toFixed(2), size }
        const built = await buildOrder(lane, world.context, order)
        const target = executionOf(built, { venueRef, status: 'acked' })
        const cancel = await lane.cancel!.build(world.context, target, {} as never)
        await submit(lane, world.context, executionOf(cancel, { target }, 'cancel'), credentials)
        await theirs.cancelOrderV2(venueRef, undefined, undefined, ticker)
        expectAlike()
        const body = lane.modify!.body.parse({
          ...(change.cents !== undefined && { price: change.cents / 100 }),
          ...(change.size !== undefined && { size: change.size }),
        })
        const modify = await lane.modify!.build(world.context, target, body)
        await submit(lane, world.context, executionOf(modify, { target }, 'modify'), credentials)
        const ownCents = change.cents ?? cents
        const yes = outcomeSide === 'YES' ? ownCents : 100 - ownCents
        await theirs.amendOrderV2(venueRef, {
          ticker,
          side: isBuy === (outcomeSide === 'YES') ? BookSide.Bid : BookSide.Ask,
          price: (yes / 100).toFixed(4),
          count: `${change.size ?? size}.00`,
          client_order_id: built.clientRef!,
          updated_client_order_id: modify.clientRef!,
        })
        expectAlike()
      }),
      { numRuns: randomChanges },
    )
  }, 120_000)
})
