// Compares with the venue’s TypeScript library: the same action, hash and signature, byte for byte, even after the database reordered
// the fields.
import {
  BatchModifyRequest,
  CancelByCloidRequest,
  CancelRequest,
  OrderRequest,
  ScheduleCancelRequest,
} from '@nktkas/hyperliquid/api/exchange'
import { canonicalize, createL1ActionHash, signL1Action } from '@nktkas/hyperliquid/signing'
import { formatPrice, formatSize } from '@nktkas/hyperliquid/utils'
import fc from 'fast-check'
import { parseSignature, serializeSignature } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, stored, submit } from '#test/support/laneWorld'
import { randomChanges, randomOrders } from '#test/support/randomOrders'
import { actionHash, agentTypedData } from '#venues/hyperliquid/exec/action'
import { cancelledIn, readArtifact } from '#venues/hyperliquid/exec/artifact'
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
  cancelByCloid: CancelByCloidRequest.entries.action,
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

/** Orders that rest, with the venue’s id or, where that was never received, ours only. */
const changes = fc.record({
  placed: order,
  postOnly: fc.boolean(),
  clientOrderId: cloids,
  oid: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  change: fc
    .record(
      {
        price: fc.integer({ min: 50_000, max: 99_999 }).map((ticks) => (ticks / 100_000).toFixed(5)),
        size: fc.integer({ min: 200, max: 10_000_000 }),
      },
      { requiredKeys: [] },
    )
    .filter(({ price, size }) => price !== undefined || size !== undefined),
})

it(`${randomChanges} random cancellations and modifications have the library’s hash and signature, and are sent as they were signed`, async () => {
  await fc.assert(
    fc.asyncProperty(changes, async ({ placed: body, postOnly, clientOrderId, oid, change }) => {
      // Of which nothing was filled.
      const size = String(body.size)
      const shown = { coin: '#5160', oid: oid ?? 1, sz: size, origSz: size, timestamp: 1_790_000_000_000 }
      world.answer((seen) => {
        if (seen.path === '/exchange') return answers(78)(seen)
        if (JSON.parse(seen.text).type !== 'orderStatus') return rich(seen)
        const status = { order: shown, status: 'open', statusTimestamp: 1_790_000_000_000 }
        return { body: { status: 'order', order: status } }
      })
      const built = await buildOrder(lane, world.context, { ...body, postOnly, clientOrderId })
      const placed = executionOf(built, { status: 'acked', venueRef: oid === null ? null : String(oid) })
      const wanted = lane.modify!.body.parse(change)
      const value = Number(change.price ?? body.price) * (change.size ?? body.size)
      const changed = value > 10 ? [await lane.modify!.build(world.context, placed, wanted)] : []
      for (const next of [await lane.cancel!.build(world.context, placed, {} as never), ...changed]) {
        const { action, nonce, connectionId } = readArtifact(stored(next.unsigned))
        const type = action.type as keyof typeof entries
        const theirs = canonicalize(entries[type] as never, stored({ action } as never).action as never)
        expect(createL1ActionHash({ action: theirs as never, nonce })).toBe(connectionId)
        const reference = oid ?? clientOrderId
        if (action.type === 'batchModify')
          expect(action.modifies).toMatchObject([
            {
              oid: reference,
              order: {
                p: formatPrice(change.price ?? body.price, 0, 'spot'),
                s: formatSize(change.size ?? body.size, 0),
                t: { limit: { tif: postOnly ? 'Alo' : 'Gtc' } },
                c: next.clientRef,
              },
            },
          ])
        else expect(cancelledIn(action)!.reference).toBe(reference)
        const intent = action.type === 'batchModify' ? 'modify' : 'cancel'
        const execution = executionOf(next, { target: placed }, intent)
        await submit(lane, world.context, execution, { signature: await sign(execution) })
        expect(world.seen.at(-1)!.text).toBe(
          JSON.stringify({
            action: theirs,
            nonce,
            signature: await signL1Action({ wallet: owner, action: theirs as never, nonce }),
          }),
        )
      }
    }),
    { numRuns: randomChanges },
  )
  world.seen.length = 0
}, 120_000)

it(`${randomChanges} random scheduled cancels have the library’s hash and signature`, async () => {
  const times = fc.option(fc.integer({ min: 1_700_000_000_000, max: 4_000_000_000_000 }))
  await fc.assert(
    fc.asyncProperty(times, async (at) => {
      const { unsigned, request } = lane.scheduleCancel!(world.context, at)
      const { action, nonce, message } = stored(unsigned) as unknown as {
        action: object
        nonce: number
        message: { connectionId: string }
      }
      const theirs = canonicalize(ScheduleCancelRequest.entries.action, action as never)
      expect(createL1ActionHash({ action: theirs, nonce })).toBe(message.connectionId)
      expect(theirs).toEqual({ type: 'scheduleCancel', ...(at !== null && { time: at }) })
      const signature = await signL1Action({ wallet: owner, action: theirs as never, nonce })
      const text = serializeSignature({ ...signature, v: BigInt(signature.v) })
      expect(await sign({ unsigned: stored(unsigned) })).toBe(text)
      expect(request).toMatchObject({ url: `${world.url}/exchange`, body: { action: theirs, nonce } })
    }),
    { numRuns: randomChanges },
  )
})

it('the venue’s own vector of a scheduled cancel without a time', async () => {
  const typed = agentTypedData(actionHash({ action: { type: 'scheduleCancel' }, nonce: 0 }), 'a')
  expect(parseSignature(await owner.signTypedData(typed))).toMatchObject({
    r: '0x6cdfb286702f5917e76cd9b3b8bf678fcc49aec194c02a73e6d4f16891195df9',
    s: '0x6557ac307fa05d25b8d61f21fb8a938e703b3d9bf575f6717ba21ec61261b2a0',
    v: 27n,
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
