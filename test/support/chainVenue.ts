// A venue whose trades exist only on a chain, with the events of Rain's second contracts (rain-sdk-v2, src/abi/MarketsAbi.ts). It tests the
// chain tape before a real venue uses it. The interpretation of each log is this test's own.
import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import type { LabLog } from '#lab/chain/chain'
import type { Market } from '#schemas/market'
import { sampleMarket, sampleOutcome } from '#test/src/marketData/catalog/samples'
import type { ChainTrades } from '#venues/venue'

const abi = parseAbi([
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event SellOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event ExecuteSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
])

/** As computed from the ABI by other implementations. */
export const knownTopics = [
  '0x563b514caea1e188378fb9f25e9c8766395f6539221f362fdaf23237ff5f4d45',
  '0x3f6d0ccd0ede3f4c122122b31e31dec4a94206308b19db849b2c9e5aa52e3f33',
  '0x3198e27c469596550d0d17d7708bf7c5fc0dc680acf4f249934972e7743d9254',
  '0x98cf7679174e1ca8f8773baa42121b08a804515a4655c198b2b9817139b2eae7',
]

const unit = 1_000_000n
const sides = { 1: 'Yes', 2: 'No' } as const

export const chainTrades: ChainTrades = {
  chainId: 42_161,
  confirmations: 2,
  blockMs: 1_000,
  events: abi,
  contractsOf: ({ contractAddress }) => (contractAddress === undefined ? [] : [contractAddress]),
  tradeOf(market, { name, args }) {
    const side = sides[Number(args.optionSide ?? args.orderOptionSide) as 1 | 2]
    const outcome = market.outcomes.find(({ label }) => label === side)
    const [shares, base] = [args.sharesAmount as bigint, args.baseAmount as bigint]
    if (outcome === undefined || shares === 0n) return null
    const isOrder = name.startsWith('Execute')
    return {
      bookId: outcome.outcomeId,
      priceMicros: Number(isOrder ? (args.orderPrice as bigint) / 10n ** 12n : (base * unit) / shares),
      shares: Number(shares) / Number(unit),
      // The buyer executes a resting sell order.
      type: name === 'EnterOption' || name === 'ExecuteSellOrder' ? 'Buy' : 'Sell',
      usd: Number(base) / Number(unit),
      maker: isOrder ? (args.maker as string) : null,
      wallet: (isOrder ? args.taker : args.wallet) as string,
      counterparty: isOrder ? (args.maker as string) : null,
    }
  },
  completeness: 'every log of a watched market once its block is confirmed',
}

export const pool = `0x${'a1'.repeat(20)}`
export const wallet = `0x${'b2'.repeat(20)}` as Hex

export const chainMarket = (id: string): Market =>
  sampleMarket(id, {
    contractAddress: pool,
    sourceExchange: 'rain',
    outcomes: [sampleOutcome(id, 'Yes'), sampleOutcome(id, 'No')],
  })

/** A market buy of so many shares for so many dollars. */
export const enterLog = (shares: number, dollars: number, side: 1 | 2 = 1): LabLog => ({
  address: pool,
  topics: encodeEventTopics({ abi, eventName: 'EnterOption' }) as string[],
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint8' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'address' }],
    [1n, side, BigInt(Math.round(dollars * 1e6)), BigInt(Math.round(shares * 1e6)), wallet],
  ),
})
