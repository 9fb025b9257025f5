// Prices of a pool's options, from its contract (getCurrentPrice, of Yes), and which of its logs change them: inferred from the first client,
// which has fewer events. https://github.com/rain1-labs/rain-sdk (src/utils/websocket.ts)
import { type Hex, parseAbi } from 'viem'
import type { ChainNode } from '#net/chainNode'
import type { Market } from '#schemas/market'
import type { OptionPrice } from '#schemas/optionPrices'
import type { OptionPrices, PricedChoice, PricedPool } from '../../optionPrices.ts'
import { hasNodes, readContracts } from '../../shared/evm.ts'
import { isQuoted } from '../../shared/settlement.ts'
import { chainId, confirmations, isPool, optionOf, sides } from '../ids.ts'
import { poolAbi } from './chain.ts'

const events = parseAbi([
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event SellOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event ExecuteSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event Price(uint256 indexed option, uint256 yesReserve, uint256 noReserve, uint256 optionTotalFunds)',
])

const whole = 10n ** 18n
/** Per multicall. */
const callsMax = 200

/** A pool by its address, or one of its options: either way all options are returned, as in the venue's own client. */
function rowsOf(marketId: string): { eventId: string } | null {
  const pool = isPool(marketId) ? marketId : optionOf(marketId)?.pool
  return pool === undefined ? null : { eventId: pool }
}

function poolOf(marketId: string, markets: readonly Market[]): PricedPool | 'not_found' {
  const address = rowsOf(marketId)?.eventId
  const isThere = isPool(marketId) || markets.some((market) => market.marketId === marketId)
  if (address === undefined || !isThere) return 'not_found'
  const key = address.toLowerCase()
  return { key, address, choices: markets.flatMap(choiceOf), contract: key }
}

/** Ended options are not read: their price is meaningless. */
function choiceOf({ marketId, status, title, sourceMetadata }: Market): PricedChoice[] {
  const named = optionOf(marketId)
  if (named === null || !isQuoted(status)) return []
  // A standalone option is named like its pool.
  const { yesSubTitle } = sourceMetadata
  return [{ index: named.option, label: typeof yesSubTitle === 'string' ? yesSubTitle : title }]
}

async function fetch(node: ChainNode, pools: readonly PricedPool[], at: number): Promise<OptionPrice[][]> {
  const calls = pools.flatMap(({ contract, choices }) =>
    choices.map(({ index }) => ({
      // In lower case: mixed case without a valid checksum would fail the call.
      address: contract as Hex,
      abi: poolAbi,
      functionName: 'getCurrentPrice',
      args: [BigInt(index), sides.yes],
    })),
  )
  const answers: unknown[] = []
  for (let from = 0; from < calls.length; from += callsMax)
    answers.push(...(await readContracts(node, calls.slice(from, from + callsMax), at)))
  let next = 0
  return pools.map(({ choices }) => choices.flatMap((choice) => priceOf(choice, answers[next++])))
}

/** None when the contract reverts, or returns an invalid probability. */
function priceOf({ index, label }: PricedChoice, answer: unknown): OptionPrice[] {
  if (typeof answer !== 'bigint' || answer > whole) return []
  return [{ choiceIndex: index, label, price01: Number(answer) / Number(whole), rawPrice: String(answer) }]
}

export const optionPrices: OptionPrices = {
  needsAddress: true,
  missing: (context) => (hasNodes(context) ? null : 'its prices are read from its chain, and no node is configured'),
  rowsOf,
  poolOf,
  chain: { chainId, confirmations, events, concerns: () => true, fetch },
}
