// Prices of a pool's outcomes: on BNB Chain, if the operator has a node, from its contract with the trade that moved it; elsewhere from its market's
// row. PredictionMarketV3_4, getMarketPrices and MarketActionTx (polkamarkets-js, ISC).
import { parseAbi } from 'viem'
import type { ChainNode } from '#net/chainNode'
import type { Market } from '#schemas/market'
import type { OptionPrice } from '#schemas/optionPrices'
import type { OptionPrices, PricedChoice, PricedPool } from '../../optionPrices.ts'
import { numberOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { hasNodes, readContracts } from '../../shared/evm.ts'
import { isQuoted } from '../../shared/settlement.ts'
import type { ChainEvent, VenueContext } from '../../venueContext.ts'
import { predictionMarketOf } from '../exec/contracts.ts'
import { outcomeOf, placeOf } from '../ids.ts'
import { getMarket } from './endpoints.ts'
import { idOf } from './normalize.ts'

/** BNB Smart Chain. */
const chainId = 56
/** The same number that the lane waits for: half of its validators, eight blocks each in a row. */
const confirmations = 88

const abi = parseAbi([
  'function getMarketPrices(uint256 marketId) view returns (uint256 liquidityPrice, uint256[] outcomePrices)',
])
const events = parseAbi([
  'event MarketActionTx(address indexed user, uint8 indexed action, uint256 indexed marketId, uint256 outcomeId, uint256 shares, uint256 value, uint256 timestamp)',
])
const whole = 10n ** 18n
/** Per multicall. */
const callsMax = 100

function poolOf(
  marketId: string,
  markets: readonly Market[],
  context: Pick<VenueContext, 'urls'>,
): PricedPool | 'not_found' | 'order_book' {
  const [place, market] = [placeOf(marketId), markets.find((candidate) => candidate.marketId === marketId)]
  const address = place === null ? null : predictionMarketOf(Number(place.networkId))
  if (place === null || market === undefined) return 'not_found'
  if (place.model !== 'amm' || address === null) return 'order_book'
  const isRead = Number(place.networkId) === chainId && hasNodes(context)
  const choices = market.outcomes.map(({ outcomeId, label }) => ({
    index: Number(outcomeOf(outcomeId)?.outcome),
    label,
  }))
  return {
    key: marketId,
    address,
    choices: isQuoted(market.status) ? choices : [],
    contract: isRead ? address.toLowerCase() : null,
  }
}

const numberedAs = ({ key }: PricedPool): bigint => BigInt(placeOf(key)!.id)

/** All pools of the network log at one contract. */
const concerns = (pool: PricedPool, { args }: ChainEvent): boolean => args.marketId === numberedAs(pool)

async function fetchAt(node: ChainNode, pools: readonly PricedPool[], at: number): Promise<OptionPrice[][]> {
  const found: OptionPrice[][] = []
  for (let from = 0; from < pools.length; from += callsMax) {
    const part = pools.slice(from, from + callsMax)
    const calls = part.map((pool) => ({
      address: predictionMarketOf(chainId)!,
      abi,
      functionName: 'getMarketPrices',
      args: [numberedAs(pool)],
    }))
    const answers = await readContracts(node, calls, at)
    found.push(...part.map(({ choices }, n) => choices.flatMap((choice) => priceIn(choice, answers[n]))))
  }
  return found
}

/** None when the contract reverts, or returns an invalid probability. */
function priceIn({ index, label }: PricedChoice, answer: unknown): OptionPrice[] {
  const prices: unknown = Array.isArray(answer) ? answer[1] : null
  const price: unknown = Array.isArray(prices) ? prices[index] : null
  if (typeof price !== 'bigint' || price > whole) return []
  return [{ choiceIndex: index, label, price01: Number(price) / Number(whole), rawPrice: String(price) }]
}

async function fetchRow(context: VenueContext, { key, choices }: PricedPool): Promise<OptionPrice[]> {
  const raw = choices.length === 0 ? null : await getMarket(context, placeOf(key)!)
  if (raw !== null && idOf(raw) !== key) throw unreadable(context, '/markets', `another market than ${key}`)
  // An ended market pays out and is no longer priced.
  if (raw?.state !== 'open') return []
  return choices.flatMap(({ index, label }) => {
    const text = raw.outcomes.find(({ id }) => Number(id) === index)?.price
    const price = numberOf(text)
    if (price === null || price < 0 || price > 1) return []
    return { choiceIndex: index, label, price01: price, rawPrice: String(text) }
  })
}

export const optionPrices: OptionPrices = {
  rowsOf: (marketId) => (placeOf(marketId) === null ? null : { marketId }),
  poolOf,
  chain: { chainId, confirmations, events, concerns, fetch: fetchAt },
  /** Of thirty per ten seconds; the books take the rest. */
  poll: { readsPerMinute: 30, fetch: fetchRow },
}
