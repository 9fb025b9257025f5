// The signed bytes: the venue’s own vectors, and random orders compared with a second implementation of the layout and with signatures
// by Node’s Ed25519. The venue has no client on npm.
import { createHash, createPublicKey, sign as signBytes, verify } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { buildOrder, executionOf, type LaneWorld, stored } from '#test/support/laneWorld'
import { randomChanges } from '#test/support/randomOrders'
import { base58Bytes } from '#venues/pascal/exec/base58'
import { pascalLane as lane } from '#venues/pascal/exec/index'
import { cancelPermit, type Header, placePermit } from '#venues/pascal/exec/permit'
import { base58, buy, createWorld, market, owner, sign, symbol, trader } from './world.ts'

const numRuns = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000 : 100
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** `tests/test_signing_vectors.py` of the venue’s quickstart, 2026-07-17. */
describe('the venue’s own vectors', () => {
  const header: Header = {
    deploymentId: 3,
    recvWindowMs: 5_000,
    clientTsMs: 1_731_536_000_000,
    owner: 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB',
    signer: '2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1',
  }
  const order = {
    size: 10n,
    priceMicros: 550_000n,
    clientOrderId: 42n,
    replaces: 43n,
    symbol: 'SIM_EVENT_1.MARKET_1',
    side: 'BID',
  } as const
  const signed = (permit: Buffer): string => base58(signBytes(null, permit, trader.key))

  it('keys', () => {
    expect([owner.address, trader.address]).toEqual([header.owner, header.signer])
    expect(base58(base58Bytes(header.owner, 32)!)).toBe(header.owner)
  })

  it('an order', () => {
    const permit = placePermit(header, {
      ...order,
      tif: 'GTT',
      expiresTsMs: 1_731_539_600_000n,
      postOnly: true,
      reduceOnly: true,
    })
    expect(permit).toHaveLength(232)
    expect(sha256(permit)).toBe('fd2900b4eb55aba772f98e8d5479494cd7092313d5492e50b5e4f3f32cfb08cc')
    expect(signed(permit)).toBe(
      '3uG7HnnR2j3R26LoW3VNSJzKUfs16M9kXc58JbhkACwm2KmBXQuozLCQvREuAoxuHQjzADdBTV7NkgNrqRANgaZN',
    )
  })

  it('a cancellation', () => {
    const permit = cancelPermit(header, 42n)
    expect(permit).toHaveLength(96)
    expect(sha256(permit)).toBe('75d6f5bd07ed6d92ed503935412d6165bae66812c9a2663ac4d860ca1bbae8c7')
    expect(signed(permit)).toBe(
      'CZMtBC9qYUExsoWAvjoXCwavWqpzKJdgTwGXypJYRFVs9cgzdRGhgJBSinCS814mJrfyattRVNdnnfcPE36ptMi',
    )
  })

  it('flags', () => {
    expect(placePermit(header, { ...order, allowMissingReplace: true })[224]).toBe(4)
  })
})

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const little = (value: bigint, bytes: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex').reverse()
const text32 = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.alloc(32)], 32)
const digest = 'dcaf53738f1d5f06164660498a75888e7f0c78ed5f1bc17be1dd1cb3ccf53ce3'

/** The layout of the facts, field by field. */
const headerBytes = (command: number, nowMs: number): Buffer =>
  Buffer.concat([
    Buffer.from([1, command, 3, 0]),
    little(60_000n, 4),
    little(BigInt(nowMs), 8),
    base58Bytes(owner.address, 32)!,
    base58Bytes(trader.address, 32)!,
  ])

interface Artifact {
  permit: string
  message: string
  request: Record<string, string>
}

interface Wanted {
  tick: number
  isYes: boolean
  isBuy: boolean
  ticks: number
  size: number
}
const ticks = [0.1, 0.05, 0.01, 0.005, 0.001, 0.0001, 0.000001]
const wanted: fc.Arbitrary<Wanted> = fc.constantFrom(...ticks).chain((tick) =>
  fc.record({
    tick: fc.constant(tick),
    isYes: fc.boolean(),
    isBuy: fc.boolean(),
    ticks: fc.integer({ min: 1, max: Math.round(1 / tick) - 1 }),
    size: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000_000_000 })),
  }),
)
const bodyOf = ({ tick, isYes, isBuy, ticks: count, size }: Wanted) => ({
  ...buy,
  outcomeSide: isYes ? 'YES' : 'NO',
  isBuy,
  price: multiplyDecimals(tick === 0.000001 ? '0.000001' : String(tick), String(count)),
  size,
})

describe('random orders', () => {
  it('have the layout’s bytes, survive storage, and are signed like Node’s Ed25519', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, async (requested) => {
        world.outcomes.splice(0, world.outcomes.length, ...market(requested.tick))
        const body = bodyOf(requested)
        const built = await buildOrder(lane, world.context, body)
        const { permit, message, request } = stored(built.unsigned) as unknown as Artifact
        const { client_order_id: id, side, price, size } = request
        const bytes = Buffer.from(permit, 'base64')
        const isBid = requested.isBuy === requested.isYes
        const micros = BigInt(Math.round(Number(body.price) * 1e6))
        const bookMicros = requested.isYes ? micros : 1_000_000n - micros
        const expected = Buffer.concat([
          headerBytes(1, world.clock.now()),
          little(BigInt(requested.size), 8),
          little(bookMicros, 8),
          little(BigInt(id!), 8),
          Buffer.alloc(8, 255),
          Buffer.alloc(8),
          Buffer.alloc(32),
          text32(symbol),
          Buffer.alloc(4),
          Buffer.from(digest, 'hex'),
          Buffer.from([2, isBid ? 0 : 1, 0, 0, 0]),
          Buffer.alloc(7),
        ])
        expect(bytes.equals(expected)).toBe(true)
        expect(message).toBe(expected.toString('hex'))
        expect([side, price, size]).toEqual([
          isBid ? 'BID' : 'ASK',
          (Number(bookMicros) / 1e6).toFixed(6),
          String(requested.size),
        ])
        const signature = sign(built)
        expect(verify(null, bytes, createPublicKey(trader.key), base58Bytes(signature, 64)!)).toBe(true)
        const execution = executionOf(built)
        const prepared = await lane.submit!.prepare(world.context, execution, { signature })
        expect(prepared).toMatchObject({ venueRef: id, submittedArtifact: { signature } })
      }),
      { numRuns },
    )
  })

  it('cost at most what the caller requested', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, async (requested) => {
        world.outcomes.splice(0, world.outcomes.length, ...market(requested.tick))
        const body = bodyOf(requested)
        const { unsigned, notionalUsd, terms } = await buildOrder(lane, world.context, body)
        const { side, price, size } = (unsigned as unknown as Artifact).request
        // The book is of YES: a bid pays the price, an ask pays one minus the price.
        const perContract = side === 'BID' ? price! : subtractDecimals('1', price!)
        const worst = multiplyDecimals(perContract, size!)
        const limit = requested.isBuy ? body.price : subtractDecimals('1', body.price)
        expect(compareDecimals(worst, multiplyDecimals(limit, String(requested.size)))).toBe(0)
        expect(compareDecimals(worst, notionalUsd!)).toBe(0)
        expect(terms).toMatchObject({ price: body.price, size: String(requested.size) })
      }),
      { numRuns },
    )
  })

  it(`are cancelled by 96 bytes built at that moment, ${randomChanges} of them`, async () => {
    world.outcomes.splice(0, world.outcomes.length, ...market())
    const ids = fc.integer({ min: 1, max: 999_999_999_999_999 }).map(String)
    const pauses = fc.integer({ min: 0, max: 3_600_000 })
    await fc.assert(
      fc.asyncProperty(ids, pauses, async (venueRef, pauseMs) => {
        const built = await buildOrder(lane, world.context, { ...buy, clientOrderId: venueRef })
        world.clock.advance(pauseMs)
        const cancelBody = lane.cancel!.body.parse({ signer: trader.address })
        const order = executionOf(built, { status: 'acked', venueRef })
        const { unsigned } = await lane.cancel!.build(world.context, order, cancelBody)
        const expected = Buffer.concat([
          headerBytes(2, world.clock.now()),
          Buffer.from([0, 2, 0, 0, 0, 0, 0, 0]),
          little(BigInt(venueRef), 8),
        ])
        expect(unsigned).toMatchObject({ message: expected.toString('hex'), permit: expected.toString('base64') })
        expect(expected).toHaveLength(96)
      }),
      { numRuns: randomChanges },
    )
  })
})
