// What is signed and posted, derived from the documentation’s struct, ABI encoding and keccak, with integer arithmetic. The venue publishes
// no client.
import fc from 'fast-check'
import { concat, encodeAbiParameters, type Hex, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import { predictStreetLane as lane } from '#venues/predictstreet/exec/index'
import { account, buy, createWorld, market, owner, placed, read, symbol, tokens, vault } from './world.ts'

const hashOf = (text: string): Hex => keccak256(stringToHex(text))
const typeText =
  'Order(uint256 salt,address maker,address signer,address taker,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint256 expiration,uint256 feeRateBps,uint8 side,uint8 signatureType)'
const domainText = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'

const encoded = (types: string, values: readonly unknown[]): Hex =>
  keccak256(
    encodeAbiParameters(
      types.split(' ').map((type) => ({ type })),
      values as never,
    ),
  )

function digestOf(message: readonly unknown[], version: string, contract: Hex): Hex {
  const separator = encoded('bytes32 bytes32 bytes32 uint256 address', [
    hashOf(domainText),
    hashOf('PredictStreet'),
    hashOf(version),
    36_900n,
    contract,
  ])
  const members = 'uint256 address address address uint256 uint256 uint256 uint256 uint256 uint8 uint8'
  return keccak256(concat(['0x1901', separator, encoded(`bytes32 ${members}`, [hashOf(typeText), ...message])]))
}

const exchanges = {
  binary: '0x3b32619897ae40C79b7086a0EB3F985077e7Fed7',
  negRisk: '0x65A068b3C1C3088B1B23499A6104045f2b661B3e',
} as const
const zeroAddress = `0x${'0'.repeat(40)}`
const text = (millionths: number): string => (millionths / 1e6).toFixed(6).replace(/\.?0+$/, '')

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
  world.answer(() => ({ status: 201, body: placed }))
})
afterAll(() => world.close())

describe('derived from the documentation', () => {
  /** The product has six decimals. */
  const orders = fc.record({
    isBuy: fc.boolean(),
    price: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 10_000),
    size: fc.integer({ min: 1, max: 2_000_000 }).map((units) => units * 1_000),
  })
  const more = fc.record({
    outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
    negRisk: fc.boolean(),
    version: fc.constantFrom('1', '2', '1.0.0'),
  })

  it(`${randomOrders} random orders: amounts, digest, signature and posted text`, async () => {
    await fc.assert(
      fc.asyncProperty(orders, more, async ({ isBuy, price, size }, { outcomeSide, negRisk, version }) => {
        world.seen.length = 0
        world.outcomes.splice(0, world.outcomes.length, ...market({ negRisk }))
        const context = { ...world.context, settings: { DOMAIN_VERSION: version } }
        const body = { ...buy, isBuy, price: text(price), size: text(size), outcomeSide }
        const built = await buildOrder(lane, context, body)
        const { salt } = (built.unsigned as never as { message: { salt: string } }).message
        const cash = (BigInt(price) * BigInt(size)) / 1_000_000n
        const [gives, takes] = isBuy ? [cash, BigInt(size)] : [BigInt(size), cash]
        const tokenId = BigInt(outcomeSide === 'YES' ? tokens.yes : tokens.no)
        const message = [BigInt(salt), vault, owner, zeroAddress, tokenId, gives, takes, 0n, 0n, isBuy ? 0 : 1, 1]
        const digest = digestOf(message, version, negRisk ? exchanges.negRisk : exchanges.binary)
        const signature = await account.sign({ hash: digest })
        // Accepted only if the owner signed the same digest as the lane’s.
        const { outcome } = await submit(lane, context, executionOf(built), { ...read, signature })
        expect(outcome).toMatchObject({ kind: 'accepted', venueRef: placed.orderId })
        const seen = world.seen.at(-1)!
        expect(JSON.parse(seen.text)).toEqual({
          marketId: symbol,
          side: isBuy ? 'buy' : 'sell',
          outcome: outcomeSide === 'YES' ? '0' : '1',
          price: text(price),
          quantity: text(size),
          nonce: salt,
          expiry: 0,
          maker: vault,
          signature,
          clientOrderId: built.clientRef,
          type: 'limit',
          timeInForce: 'gtc',
        })
        expect([seen.headers['x-api-key'], seen.headers['x-user-wallet']]).toEqual([read.apiKey, owner])
        expect(BigInt(Math.round(Number(built.notionalUsd) * 1e6))).toBe(isBuy ? cash : 0n)
      }),
      { numRuns: randomOrders },
    )
  }, 120_000)
})
