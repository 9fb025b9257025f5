// What is signed and posted, derived from the documentation’s type string, ABI encoding and keccak; and vectors that were computed from it.
// The venue publishes no client.
import fc from 'fast-check'
import { concat, encodeAbiParameters, type Hex, keccak256, recoverAddress, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { predLane as lane } from '#venues/pred/exec/index'
import { type OrderMessage, orderOn } from '#venues/pred/exec/typedData'
import {
  account,
  buy,
  childMarketId,
  createWorld,
  credentials,
  exchange,
  facts,
  market,
  parentMarketId,
} from './world.ts'

const typeText =
  'Order(uint256 salt,address maker,address signer,address taker,uint256 price,uint256 quantity,uint256 expiration,uint256 nonce,bytes32 questionId,uint256 feeRateBps,uint8 intent,uint8 signatureType)'
const domainText = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const hashOf = (text: string): Hex => keccak256(stringToHex(text))

const separatorOf = (chainId: number, contract: string): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      [hashOf(domainText), hashOf('Pred CTF Exchange'), hashOf('1'), BigInt(chainId), contract as Hex],
    ),
  )

const digestOf = (m: OrderMessage, chainId: number, contract: string): Hex => {
  const types = 'bytes32 uint256 address address address uint256 uint256 uint256 uint256 bytes32 uint256 uint8 uint8'
  const values = [
    hashOf(typeText),
    BigInt(m.salt),
    m.maker,
    m.signer,
    m.taker,
    BigInt(m.price),
    BigInt(m.quantity),
    BigInt(m.expiration),
    BigInt(m.nonce),
    m.questionId,
    BigInt(m.feeRateBps),
    m.intent,
    m.signatureType,
  ]
  const struct = keccak256(
    encodeAbiParameters(
      types.split(' ').map((type) => ({ type })),
      values,
    ),
  )
  return keccak256(concat(['0x1901', separatorOf(chainId, contract), struct]))
}

describe('vectors', () => {
  const message: OrderMessage = {
    salt: '20123456789',
    maker: '0x54c7d8B0808357486Ef6bddE7475e06146B3fa90',
    signer: '0x0d248E2d6cD3E815d64274d5B3F37771588285B6',
    taker: `0x${'0'.repeat(40)}`,
    price: '550000',
    quantity: '100000000',
    expiration: '0',
    nonce: '0',
    questionId: '0x0b5e4867f18d734efa40ff8c9144393e0fda072f90d865a2a8b086c02ccbb900',
    feeRateBps: '0',
    intent: 0,
    signatureType: 2,
  }
  const testnet = '0xc76DC1c16E672f04b8faD103269E7474FA620a7B'

  it('of the type, the domains and one order on both chains', () => {
    expect(hashOf(typeText)).toBe('0x353bebe9aee13efb1e0be0d4ce9aa2c84d3e1e3c797f884d5e98795e3c6d31f4')
    expect(separatorOf(8453, exchange)).toBe('0x8799b41451f8911ef1b86af63287dcdfa469e1919a601953f00c502fd43c71f0')
    expect(separatorOf(84_532, testnet)).toBe('0x301c7c0c30fea9a812f6746b5aa23965b60465f23c3d6e89f43a16fc83f8191d')
    const mainnetDigest = '0x41efe97d51ace6a6915fa549b387c4c20ad0df7ec009637e6529a51de4dc4b6d'
    expect(digestOf(message, 8453, exchange)).toBe(mainnetDigest)
    expect(digestOf(message, 84_532, testnet)).toBe(
      '0x74b0d180252f58cee7dbca457a0f6551685a77b24fbdf4bb4e657ff8f98c26c2',
    )
    expect(orderOn(8_453).hash(message, exchange)).toBe(mainnetDigest)
    expect(orderOn(84_532).hash(message, testnet)).toBe(digestOf(message, 84_532, testnet))
  })
})

describe('random orders', () => {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createWorld()
    world.answer(() => ({ status: 202, body: { status: 'order_created', order_id: 'o-1', message: '' } }))
  })
  afterAll(() => world.close())

  /** The tick in cents, and the number of ticks in a dollar. */
  const ticks = [
    ['1', 100],
    ['0.5', 200],
    ['0.25', 400],
    ['0.1', 1_000],
    ['0.01', 10_000],
  ] as const
  const orders = fc
    .record({ tick: fc.constantFrom(...ticks), share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .chain(({ tick: [cents, steps], share }) =>
      fc.record({
        tick: fc.constant(Number(cents) / 100),
        // Millionths of a dollar, on the tick and between 0 and 1.
        micros: fc.constant((1 + Math.floor(share * (steps - 2))) * (1_000_000 / steps)),
        tenths: fc.integer({ min: 50, max: 10_000_000 }),
        isBuy: fc.boolean(),
        outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
        contract: fc.uint8Array({ minLength: 20, maxLength: 20 }).filter((bytes) => bytes.some((byte) => byte > 0)),
      }),
    )

  it(`${randomOrders} of them: digest, signature and posted text are equal, and none costs more than requested`, async () => {
    await fc.assert(
      fc.asyncProperty(orders, async ({ tick, micros, tenths, isBuy, outcomeSide, contract }) => {
        const contractAddress = `0x${Buffer.from(contract).toString('hex')}`
        world.outcomes.splice(0, world.outcomes.length, ...market({ ...facts, contractAddress }, tick))
        world.seen.length = 0
        const built = await buildOrder(lane, world.context, {
          ...buy,
          outcomeSide,
          isBuy,
          price: (micros / 1e6).toFixed(6),
          size: (tenths / 10).toFixed(1),
        })
        const { message } = built.unsigned as unknown as { message: OrderMessage }
        const long = isBuy === (outcomeSide === 'YES')
        const longMicros = outcomeSide === 'YES' ? micros : 1_000_000 - micros
        expect(message).toMatchObject({
          price: String(longMicros),
          quantity: `${tenths}00000`,
          intent: long ? 0 : 1,
          salt: expect.stringMatching(/^2\d{10}$/),
        })

        const signature = await account.signTypedData(executionOf(built).unsigned as never)
        const digest = digestOf(message, 8453, contractAddress)
        expect(await recoverAddress({ hash: digest, signature })).toBe(account.address)
        const { outcome } = await submit(lane, world.context, executionOf(built), { ...credentials, signature })
        expect(outcome).toMatchObject({ kind: 'accepted', venueRef: 'o-1' })
        const seen = world.seen.at(-1)!
        expect(seen.path).toBe(`/api/v1/order/${parentMarketId}/place`)
        const posted = JSON.parse(seen.text)
        expect(posted).toEqual({
          salt: `0${message.salt}`,
          market_id: childMarketId,
          side: long ? 'long' : 'short',
          price: expect.any(String),
          quantity: expect.any(String),
          type: 'limit',
          timestamp: Math.floor(world.clock.now() / 1_000),
          expiration: 0,
          reduce_only: false,
          fee_rate_bps: 0,
          signature,
        })
        expect(BigInt(posted.salt)).toBe(BigInt(message.salt))
        // The venue derives the signed amounts from cents and shares.
        expect(Math.round(Number(posted.price) * 10_000)).toBe(longMicros)
        expect(Math.round(Number(posted.quantity) * 10)).toBe(tenths)

        // Long pays the price, short pays one minus the price.
        const perShare = BigInt(long ? longMicros : 1_000_000 - longMicros)
        const cost = perShare * BigInt(message.quantity)
        const maxCost = BigInt(isBuy ? micros : 1_000_000 - micros) * BigInt(tenths) * 100_000n
        expect(cost).toBeLessThanOrEqual(maxCost)
        expect(Math.round(Number(built.notionalUsd) * 1e7)).toBe(Number(cost / 100_000n))
      }),
      { numRuns: randomOrders },
    )
  }, 240_000)
})
