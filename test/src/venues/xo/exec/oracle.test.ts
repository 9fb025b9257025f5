// What is signed, derived from the type’s text, ABI encoding and keccak. The venue publishes neither a client nor a vector.
import fc from 'fast-check'
import { concat, encodeAbiParameters, getAddress, type Hex, keccak256, recoverAddress, stringToHex } from 'viem'
import { expect, it } from 'vitest'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { randomOrders } from '#test/support/randomOrders'
import type { OrderMessage } from '#venues/xo/exec/artifact'
import { xoLane as lane } from '#venues/xo/exec/index'
import { orderTypeHash } from '#venues/xo/exec/typedData'
import { account, buy, createWorld, market, tokens } from './world.ts'

const typeText =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)'
const hashOf = (text: string): Hex => keccak256(stringToHex(text))

interface Domain {
  name: string
  version: string
  chainId: number
  contract: Hex
}

function digestOf(m: OrderMessage, { name, version, chainId, contract }: Domain): Hex {
  const encode = (types: string, values: readonly unknown[]): Hex =>
    keccak256(
      encodeAbiParameters(
        types.split(' ').map((type) => ({ type })),
        values,
      ),
    )
  const separator = encode('bytes32 bytes32 bytes32 uint256 address', [
    hashOf('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
    hashOf(name),
    hashOf(version),
    BigInt(chainId),
    contract,
  ])
  const struct = encode('bytes32 uint256 address address uint256 uint256 uint256 uint8 uint8 uint256 bytes32 bytes32', [
    hashOf(typeText),
    BigInt(m.salt),
    m.maker,
    m.signer,
    BigInt(m.tokenId),
    BigInt(m.makerAmount),
    BigInt(m.takerAmount),
    m.side,
    m.signatureType,
    BigInt(m.timestamp),
    m.metadata,
    m.builder,
  ])
  return keccak256(concat(['0x1901', separator, struct]))
}

it('the type hash is the one that an operator confirms', () => {
  expect(hashOf(typeText)).toBe(orderTypeHash)
})

const orders = fc.record({
  decimals: fc.constantFrom(6, 8, 18),
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  name: fc.stringMatching(/^[ -~]{1,40}$/),
  version: fc.constantFrom('1', '2', '3.1'),
  contract: fc.uint8Array({ minLength: 20, maxLength: 20 }).filter((bytes) => bytes.some((byte) => byte > 0)),
  // Thousandths of a dollar and of a share: their product fits into six decimals.
  mills: fc.integer({ min: 1, max: 999 }),
  shares: fc.integer({ min: 1, max: 1_000_000_000 }),
  isBuy: fc.boolean(),
  outcomeSide: fc.constantFrom('YES' as const, 'NO' as const),
  signatureType: fc.constantFrom(0, 3, undefined),
})

it(`${randomOrders} random orders: amounts, digest and signature are equal, and none gives more than requested`, async () => {
  const world = await createWorld()
  try {
    await fc.assert(
      fc.asyncProperty(orders, async ({ decimals, chainId, name, version, contract, ...order }) => {
        world.outcomes.splice(0, world.outcomes.length, ...market())
        const exchange = `0x${Buffer.from(contract).toString('hex')}`
        const settings = {
          EXCHANGE: exchange,
          ORDER_TYPE_HASH: orderTypeHash,
          CHAIN_ID: String(chainId),
          DOMAIN_NAME: name,
          DOMAIN_VERSION: version,
          COLLATERAL_DECIMALS: String(decimals),
        }
        const { isBuy, outcomeSide, signatureType, mills, shares } = order
        const price = (mills / 1_000).toFixed(3)
        const size = (shares / 1_000).toFixed(3)
        const owner = account.address
        const built = await buildOrder(
          lane,
          { ...world.context, settings },
          { ...buy, owner, isBuy, outcomeSide, price, size, ...(signatureType !== undefined && { signatureType }) },
        )
        const { message, domain } = built.unsigned as unknown as { message: OrderMessage; domain: object }
        expect(domain).toEqual({ name, version, chainId, verifyingContract: getAddress(exchange) })
        const unit = 10n ** BigInt(decimals - 6)
        const [cash, tokensMoved] = [BigInt(mills) * BigInt(shares) * unit, BigInt(shares) * 1_000n * unit]
        expect(message).toEqual({
          salt: expect.stringMatching(/^\d{1,20}$/),
          maker: owner,
          signer: owner,
          tokenId: tokens[outcomeSide === 'YES' ? 0 : 1],
          makerAmount: String(isBuy ? cash : tokensMoved),
          takerAmount: String(isBuy ? tokensMoved : cash),
          side: isBuy ? 0 : 1,
          signatureType: signatureType ?? 3,
          timestamp: String(world.clock.now()),
          metadata: `0x${'0'.repeat(64)}`,
          builder: `0x${'0'.repeat(64)}`,
        })
        const digest = digestOf(message, { name, version, chainId, contract: exchange as Hex })
        expect(built.clientRef).toBe(digest)
        const signature = await account.signTypedData(executionOf(built).unsigned as never)
        expect(await recoverAddress({ hash: digest, signature })).toBe(owner)
      }),
      { numRuns: randomOrders },
    )
  } finally {
    await world.close()
  }
}, 240_000)
