// Owns what rain's contracts answer, and the node they are asked at: prices, funds and quotes by the calls of the second client's ABI, many in one
// by Multicall3; and the logs of trades. A pool quotes what the simulator's best levels say.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  parseAbi,
} from 'viem'
import { createAnswers, soundNode } from '../chain/answers.ts'
import type { LabChain, LabLog } from '../chain/chain.ts'
import type { EngineMarket, LabTrade } from '../engine/market.ts'
import { type LabReply, type LabRoute, ok } from '../host.ts'
import type { RainListing, RainOption } from './listing.ts'

const abi = parseAbi([
  'function getCurrentPrice(uint256 option, uint8 optionSide) view returns (uint256)',
  'function optionTotalFunds(uint256 option) view returns (uint256)',
  'function getEntryShares(uint256 option, uint8 optionSide, uint256 amount) view returns (uint256 returnedShares, uint256 expectedReward)',
])
const multicall = '0xca11bde05977b3631167028862be2a173976ca11'
const one = 1_000_000n
const microsPerPrice = 10n ** 12n
/** Of the base token. */
export const decimals = 6

/** What so many base units buy of a side; null where nobody sells it. */
export function entryShares(live: EngineMarket, isYes: boolean, amount: bigint): bigint | null {
  if (live.status !== 'open') return null
  const [bid, ask] = [live.book.bestBidMicros(), live.book.bestAskMicros()]
  const price = isYes ? ask : bid === null ? null : 1_000_000 - bid
  return price === null ? null : (amount * one) / BigInt(price)
}

/** Null: the contract refuses. */
function answered(live: EngineMarket, data: Hex): Hex | null {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName === 'optionTotalFunds') {
    return encodeFunctionResult({ abi, functionName, result: BigInt(live.volumeHundredths) * 10_000n })
  }
  const isYes = args[1] === 1
  if (functionName === 'getCurrentPrice') {
    const yes = BigInt(live.midMicros())
    return encodeFunctionResult({ abi, functionName, result: (isYes ? yes : one - yes) * microsPerPrice })
  }
  const shares = entryShares(live, isYes, args[2])
  return shares === null ? null : encodeFunctionResult({ abi, functionName, result: [shares, shares] })
}

interface Call {
  id: unknown
  method: string
  params: readonly unknown[]
}

export const chainId = 42_161

export function nodeRoute(listing: RainListing, chain: LabChain, live: (option: RainOption) => EngineMarket): LabRoute {
  const other = createAnswers(chain, soundNode(chainId), new Map())
  const optionOf = (address: string, data: Hex): RainOption | undefined => {
    const { args } = decodeFunctionData({ abi, data })
    return listing.byAddress.get(address.toLowerCase())?.options[Number(args[0]) - 1]
  }
  function aggregated(data: Hex): Hex {
    const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
    if (functionName !== 'aggregate3') throw new Error(`no call of ${functionName}`)
    const result = args[0].map(({ target, callData }) => {
      const option = optionOf(target, callData)
      const returnData = option === undefined ? null : answered(live(option), callData)
      return { success: returnData !== null, returnData: returnData ?? ('0x' as const) }
    })
    return encodeFunctionResult({ abi: multicall3Abi, functionName, result })
  }
  function answer(asked: Call): unknown {
    const { id, method, params } = asked
    const [call] = params as [{ to: string; data: Hex }]
    if (method === 'eth_call' && call.to.toLowerCase() === multicall) {
      return { jsonrpc: '2.0', id, result: aggregated(call.data) }
    }
    return other(asked)
  }
  const handle = (body: Call | Call[]): LabReply => ok(Array.isArray(body) ? body.map(answer) : answer(body))
  return { method: 'POST', path: '/rpc', handle: ({ body }) => handle(body as Call | Call[]) }
}

const logs = parseAbi([
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
])
const wallet = '0x1111111111111111111111111111111111111111'
const maker = '0x2222222222222222222222222222222222222222'

/** Who buys Yes enters the option; who sells it meets a resting order to buy. */
export function tradeLog({ pool, option }: RainOption, { priceMicros, size, takerBuysYes, ordinal }: LabTrade): LabLog {
  const shares = BigInt(Math.round(size * 10 ** decimals))
  const base = (shares * BigInt(priceMicros)) / one
  const head = [BigInt(option), 1] as const
  const [event, values] = takerBuysYes
    ? ([logs[0], [...head, base, shares, wallet]] as const)
    : ([logs[1], [...head, BigInt(priceMicros) * microsPerPrice, shares, base, BigInt(ordinal)]] as const)
  const topics = takerBuysYes
    ? encodeEventTopics({ abi: logs, eventName: 'EnterOption' })
    : encodeEventTopics({ abi: logs, eventName: 'ExecuteBuyOrder', args: { maker, taker: wallet } })
  const inData = event.inputs.filter((input) => !('indexed' in input && input.indexed))
  return {
    address: pool.address,
    topics: topics.flatMap((topic) => topic ?? []),
    data: encodeAbiParameters(inData, values as never),
  }
}
