// Compares with the venue’s TypeScript library: the same action, hash and signature, byte for byte, even after the database reordered
// the fields.
import { BatchModifyRequest, CancelRequest, OrderRequest } from '@nktkas/hyperliquid/api/exchange'
import { canonicalize, createL1ActionHash, signL1Action } from '@nktkas/hyperliquid/signing'
import { formatPrice, formatSize } from '@nktkas/hyperliquid/utils'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, stored, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { readArtifact } from '#venues/hyperliquid/exec/artifact'
import { hyperliquidLane as lane } from '#venues/hyperliquid/exec/index'
import { wirePrice, wireSize } from '#venues/hyperliquid/exec/wireNumbers'
import { buy, createWorld, owner, rich, sign } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const randomOrder = fc.record({
  outcome: fc.constant('516'),
  outcomeSide: fc.constantFrom('YES', 'NO'),
  isBuy: fc.boolean(),
  price: fc.integer({ min: 1, max: 99_999 }).map((ticks) => (ticks / 100_000).toFixed(5)),
  size: fc.integer({ min: 1, max: 10_000_000 }),
  owner: fc.constant(owner.address),
})

/** Above the venue’s minimum order value. */
const order = randomOrder.filter(({ price, size }) => Number(price) * size > 10)

const answers = (oid: number) => (seen: { path: string; text: string }) =>
  seen.path === '/exchange'
    ? { body: { status: 'ok', response: { type: 'order', data: { statuses: [{ resting: { oid } }] } } } }
    : rich(seen)

const entries = {
  order: OrderRequest.entries.action,
  cancel: CancelRequest.entries.action,
  batchModify: BatchModifyRequest.entries.action,
} as const

const cloids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

/** Our options, and the library’s time in force. */
const kinds = [
  { name: 'good-til-cancel', options: {}, tif: 'Gtc' },
  { name: 'immediate-or-cancel', options: { timeInForce: 'immediate-or-cancel' }, tif: 'Ioc' },
  { name: 'market', options: { type: 'market' }, tif: 'Ioc' },
  { name: 'post-only', options: { postOnly: true }, tif: 'Alo' },
]

it.each(kinds)(
  `${randomOrders} random $name orders have the library’s hash and signature, and are sent as they were signed`,
  async ({ options, tif }) => {
    world.answer(answers(77))
    await fc.assert(
      fc.asyncProperty(order, cloids, async ({ price, ...rest }, clientOrderId) => {
        const priced = 'type' in options ? { worstPrice: price } : { price }
        const built = await buildOrder(lane, world.context, { ...rest, ...priced, ...options, clientOrderId })
        const execution = executionOf(built)
        const { action, nonce, connectionId } = readArtifact(stored(built.unsigned))
        const theirs = canonicalize(OrderRequest.entries.action, stored({ action } as never).action as never)
        expect(createL1ActionHash({ action: theirs, nonce })).toBe(connectionId)
        expect(theirs).toMatchObject({ orders: [{ t: { limit: { tif } }, c: clientOrderId }] })
        const { outcome } = await submit(lane, world.context, execution, { signature: await sign(execution) })
        expect(outcome).toMatchObject({ kind: 'accepted', venueRef: '77', status: 'acked', fills: [] })
        const sent = world.seen.at(-1)!
        expect(sent.text).toBe(
          JSON.stringify({
            action: theirs,
            nonce,
            signature: await signL1Action({ wallet: owner, action: theirs as never, nonce }),
          }),
        )
      }),
      { numRuns: randomOrders },
    )
    world.seen.length = 0
  },
  120_000,
)

it('cancellations and modifications match too', async () => {
  const placed = executionOf(await buildOrder(lane, world.context, buy), { status: 'acked', venueRef: '480264497594' })
  const cancel = await lane.cancel!.build(world.context, placed, {} as never)
  const modify = await lane.modify!.build(world.context, placed, { price: '0.36' } as never)
  for (const built of [cancel, modify]) {
    lane.checkBounds(built.unsigned, built.bounds)
    const { action, nonce, connectionId } = readArtifact(stored(built.unsigned))
    const theirs = canonicalize(
      entries[action.type as keyof typeof entries] as never,
      stored({ action } as never).action as never,
    )
    expect(theirs).toEqual(action)
    expect(createL1ActionHash({ action: theirs as never, nonce })).toBe(connectionId)
  }
  expect(readArtifact(cancel.unsigned).action).toEqual({ type: 'cancel', cancels: [{ a: 100005160, o: 480264497594 }] })
  expect(readArtifact(modify.unsigned).action).toMatchObject({
    modifies: [{ oid: 480264497594, order: { a: 100005160, b: true, p: '0.36', s: '50', c: modify.clientRef } }],
  })
})

it('prices on the tick and whole sizes are formatted like the library does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 1_000_000_000 }), (ticks, size) => {
      const price = (ticks / 100_000).toFixed(5)
      for (const isBuy of [true, false]) expect(wirePrice(price, isBuy)).toBe(formatPrice(price, 0, 'spot'))
      expect(wireSize(size)).toBe(formatSize(size, 0))
    }),
  )
})

it('prices off the tick are rounded, never against the caller', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20_000, max: 999_980_000 }), fc.boolean(), (nano, isBuy) => {
      const requestedPrice = nano / 1e9
      const wire = Number(wirePrice(requestedPrice.toFixed(9), isBuy))
      if (isBuy) expect(wire).toBeLessThanOrEqual(requestedPrice)
      else expect(wire).toBeGreaterThanOrEqual(requestedPrice)
      expect(Math.abs(wire - requestedPrice)).toBeLessThan(0.00001)
    }),
  )
})
