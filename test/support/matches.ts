// Random matches that an operator of Polymarket could send, as calldata of each of its contracts.
import { type Address, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { encodeMatch, type LabMatch, type LabOrder } from '#lab/polymarket/exchange'
import { createPrng, type Prng } from '#lab/prng'

const orderV1 =
  'struct Order { uint256 salt; address maker; address signer; address taker; uint256 tokenId; uint256 makerAmount; uint256 takerAmount; uint256 expiration; uint256 nonce; uint256 feeRateBps; uint8 side; uint8 signatureType; bytes signature; }'
const exchangeV1 = parseAbi([
  orderV1,
  'function matchOrders(Order takerOrder, Order[] makerOrders, uint256 takerFillAmount, uint256[] makerFillAmounts)',
])
const feeModuleV1 = parseAbi([
  orderV1,
  'function matchOrders(Order takerOrder, Order[] makerOrders, uint256 takerFillAmount, uint256 takerReceiveAmount, uint256[] makerFillAmounts, uint256 takerFeeAmount, uint256[] makerFeeAmounts)',
])
export const selectorsV1 = [exchangeV1, feeModuleV1].map((abi) => toFunctionSelector(abi[0]!))

const zero: Address = `0x${'0'.repeat(40)}`
const v1 = (order: LabOrder) => ({ ...order, taker: zero, expiration: 0n, nonce: 0n, feeRateBps: 0n })

/** By contract, in lower case: whether it is of the first generation, and how it is called. */
export const settlers: readonly { to: string; first: boolean; encode(match: LabMatch): Hex }[] = [
  { to: '0xe111180000d2663c0091e4f400237545b87b996b', first: false, encode: encodeMatch },
  { to: '0xe2222d279d744050d28e00520010520000310f59', first: false, encode: encodeMatch },
  { to: '0xe3333700ca9d93003f00f0f71f8515005f6c00aa', first: false, encode: encodeMatch },
  ...['0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e', '0xc5d563a36ae78145c45a50134d48a1215220f80a'].map((to) => ({
    to,
    first: true,
    encode: ({ taker, makers, takerFill, makerFills }: LabMatch) =>
      encodeFunctionData({ abi: exchangeV1, args: [v1(taker), makers.map(v1), takerFill, makerFills] }),
  })),
  ...[
    '0xe3f18acc55091e2c48d883fc8c8413319d4ab7b0',
    '0xb768891e3130f6df18214ac804d4db76c2c37730',
    '0x78769d50be1763ed1ca0d5e878d93f05aabff29e',
  ].map((to) => ({
    to,
    first: true,
    encode: ({ taker, makers, takerFill, makerFills, takerFee, makerFees }: LabMatch) =>
      encodeFunctionData({
        abi: feeModuleV1,
        args: [v1(taker), makers.map(v1), takerFill, 1n, makerFills, takerFee, makerFees],
      }),
  })),
]

const zeros: Hex = `0x${'0'.repeat(64)}`
const big = (random: Prng, digits: number): bigint =>
  BigInt(Array.from({ length: digits }, () => random.int(10)).join(''))
const addressOf = (random: Prng): Address =>
  `0x${Array.from({ length: 40 }, () => random.int(16).toString(16)).join('')}`

/** Of one market: `token` and `other`. Amounts are odd, so that legs are rounded; some orders are partly filled. */
export function randomMatch(name: string): LabMatch {
  const random = createPrng(name)
  const [token, other] = [big(random, 77) + 1n, big(random, 76) + 2n]
  const takerSells = random.chance(0.5)
  const kind = random.int(4)

  function order(tokenId: bigint, sells: boolean, priceMicros: number): LabOrder {
    const shares = BigInt(1_000_000 + random.int(900_000_000))
    const cash = (shares * BigInt(priceMicros)) / 1_000_000n
    const maker = addressOf(random)
    return {
      salt: big(random, 15),
      maker,
      signer: maker,
      tokenId,
      makerAmount: sells ? shares : cash,
      takerAmount: sells ? cash : shares,
      side: sells ? 1 : 0,
      signatureType: random.int(4),
      timestamp: big(random, 13),
      metadata: zeros,
      builder: zeros,
      // Empty for preapproved orders.
      signature: random.chance(0.1) ? '0x' : `0x${'ab'.repeat(65 + random.int(200))}`,
    }
  }

  const price = 10_000 + random.int(980_000)
  const count = 1 + random.int(6)
  const makers = Array.from({ length: count }, () => {
    const isComplementary = kind === 0 || (kind !== 1 && random.chance(0.5))
    // Makers ask the taker's price, or offer a better one.
    const better = random.int(5_000)
    if (isComplementary) return order(token, !takerSells, takerSells ? price + better : price - better)
    return order(other, takerSells, 1_000_000 - price + (takerSells ? -better : better))
  })
  const makerFills = makers.map(({ makerAmount }) =>
    random.chance(0.5) ? makerAmount : (makerAmount * BigInt(1 + random.int(999))) / 1_000n,
  )
  const taker = order(token, takerSells, price)
  return {
    conditionId: `0x${'c0'.repeat(32)}`,
    taker,
    makers,
    takerFill: takerFillOf(taker, makers, makerFills) + BigInt(random.int(1_000)),
    makerFills,
    takerFee: BigInt(random.int(10_000)),
    makerFees: makers.map(() => 0n),
  }
}

/** What the taker must give for all of them, by the contracts' own conservation: money for money, shares for shares. */
function takerFillOf(taker: LabOrder, makers: readonly LabOrder[], fills: readonly bigint[]): bigint {
  return makers.reduce((sum, { side, makerAmount, takerAmount }, i) => {
    const gave = fills[i]!
    const got = makerAmount === 0n ? 0n : (gave * takerAmount) / makerAmount
    if (side !== taker.side) return sum + got
    // A minted pair costs a dollar, of which the maker pays his part; for a merged one the taker brings one share.
    return sum + (side === 0 ? got - gave : gave)
  }, 0n)
}
