// What a build must know: from the catalog the pool, the option and its token; from the chain, at one block, whether the pool is safe, the quote
// of a
// market order, and the pool's answer to the very call being built. The data half writes into the catalog for it:
//
//   market.contractAddress, sourceMetadata.option               the pool, and which of its options
//   sourceMetadata.collateralToken, collateral, …Decimals       its base token
import { getAddress } from 'viem'
import { z } from 'zod'
import { toUnits } from '#core/decimal'
import type { ChainBlock, ChainNode } from '#net/chainNode'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { chainOf, readContract } from '../../shared/evm.ts'
import { invalid } from '../../shared/exec/amounts.ts'
import { checkTakesOrders, incomplete, readFact } from '../../shared/exec/catalogFacts.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { chainId, marketIdOf, optionOf, sides } from '../ids.ts'
import type { OrderBody } from './body.ts'
import { callData, type PoolCall, poolAbi, selectorOf } from './contracts.ts'
import { checkOrderTaken, notQuoted, type Refusal, simulateRevert } from './errors.ts'
import { checkPool } from './pool.ts'
import { priceDecimals, readAmount, readDeadline, readPrice, readSlippage, slippageOf, wrong } from './poolChecks.ts'

export interface CatalogFacts {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  pool: `0x${string}`
  option: number
  optionSide: number
  token: { address: string; symbol: string; decimals: number }
}

export interface Facts {
  catalog: CatalogFacts
  call: Extract<PoolCall, { kind: 'limit' | 'market' }>
  /** The pool's build has no `postOnly`. */
  isOlder: boolean
  isProven: boolean
  /** The block at which the pool was read and quoted. */
  block: ChainBlock
  /** Current proceeds of a market order, in base units; null for a limit order. */
  quote: string | null
  /** The refusal if sent now; null: it would succeed. */
  refusal: Refusal | null
}

const Metadata = z.object({
  collateralToken: hexText(40),
  collateral: z.string().min(1).max(40),
  collateralDecimals: z.int().min(0).max(36),
})

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  const { marketId, contractAddress, sourceMetadata } = market
  const named = optionOf(marketId)
  if (named === null || marketIdOf(contractAddress ?? '', named.option) !== marketId) {
    throw incomplete('rain', marketId, `a market of the contract ${contractAddress}`)
  }
  const { collateralToken, collateral, collateralDecimals } = readFact('rain', market, Metadata, sourceMetadata)
  const optionSide = side === 'YES' ? sides.yes : sides.no
  if (outcome.outcomeId !== `${marketId}:${optionSide}`) {
    throw wrong('RAIN_INVALID_SIDE', `outcome: ${outcome.outcomeId} is not a side of ${marketId}`)
  }
  return {
    marketId,
    outcomeId: outcome.outcomeId,
    side,
    pool: getAddress(named.pool.toLowerCase()),
    option: named.option,
    optionSide,
    token: { address: collateralToken, symbol: collateral, decimals: collateralDecimals },
  }
}

export async function gatherFacts(context: LaneContext, body: OrderBody): Promise<Facts> {
  const resolved = await resolveSelector(context.catalog, body)
  checkTakesOrders('outcome', resolved.market)
  const catalog = readCatalogFacts(resolved)
  const { pool, option, optionSide, token } = catalog
  const order = parseOrder(body, token.decimals)
  const node = chainOf(context, 'rain', chainId)
  const ofOption = { side: body.isBuy ? 'buy' : 'sell', option: String(option), optionSide } as const
  const amount = toUnits(order.amount, token.decimals).toString()
  const drafts = draftsOf(order, { ...ofOption, amount }, body.postOnly === true)
  const { block, selector, isProven } = await checkPool(context, node, {
    pool,
    option,
    token,
    selectors: drafts.map(({ data }) => selectorOf(data)),
    facet: 'diamondTradingFacet',
  })
  const isOlder = selector !== selectorOf(drafts[0]!.data)
  const quote = order.market === null ? null : await quoteOf(node, catalog, { isBuy: body.isBuy, amount, at: block })
  const call = quote === null ? drafts[0]!.call : marketCall(order, { ...ofOption, amount, quote, block })
  const refusal = await simulateRevert(node, { from: body.owner, to: pool, data: callData(call, isOlder) }, block)
  checkOrderTaken(refusal)
  return { catalog, call, isOlder, isProven, block, quote: quote?.toString() ?? null, refusal }
}

interface ParsedOrder {
  /** Decimal text. */
  amount: string
  /** Null for a market order. */
  price: string | null
  /** Null for a limit order. */
  market: { slippageBps: bigint; seconds: number } | null
}

function parseOrder(
  { action, price, amount, slippageBps, deadlineSecondsFromNow }: OrderBody,
  decimals: number,
): ParsedOrder {
  if (action === 'limit') return { amount: readAmount(amount, decimals), price: readPrice(price), market: null }
  const market = { slippageBps: readSlippage(slippageBps), seconds: readDeadline(deadlineSecondsFromNow) }
  return { amount: readAmount(amount, decimals), price: null, market }
}

type OfOption = Pick<Extract<PoolCall, { kind: 'limit' }>, 'side' | 'option' | 'optionSide' | 'amount'>

/** The call with each suitable function; for a market order still without its minimum. */
function draftsOf(
  { price }: ParsedOrder,
  of: OfOption,
  postOnly: boolean,
): { call: Facts['call']; data: `0x${string}` }[] {
  if (price === null) {
    const call = { kind: 'market', ...of, minimum: '0', deadline: '0' } as const
    return [{ call, data: callData(call) }]
  }
  const call = { kind: 'limit', ...of, price: toUnits(price, priceDecimals).toString() } as const
  if (postOnly) {
    const only = { ...call, postOnly: true } as const
    return [{ call: only, data: callData(only) }]
  }
  return [false, true].map((isOlder) => ({ call, data: callData(call, isOlder) }))
}

/** At this block: the shares a buyer would get; what a seller would get at the best resting price. */
async function quoteOf(
  node: ChainNode,
  { pool, option, optionSide }: CatalogFacts,
  { isBuy, amount, at: { number } }: { isBuy: boolean; amount: string; at: ChainBlock },
): Promise<bigint> {
  const of = { address: pool, abi: poolAbi } as const
  const units = BigInt(amount)
  if (isBuy) {
    const args = [BigInt(option), optionSide, units] as const
    const quoted = readContract(node, { ...of, functionName: 'getEntryShares', args }, number)
    const [shares] = await quoted.catch(notQuoted)
    if (shares > 0n) return shares
    throw wrong('RAIN_INVALID_AMOUNT', 'amount: the pool gives nothing for it now')
  }
  const args = [BigInt(option), optionSide] as const
  const quoted = readContract(node, { ...of, functionName: 'firstBuyOrderPrice', args }, number)
  const price = await quoted.catch(notQuoted)
  const proceeds = (units * price) / 10n ** BigInt(priceDecimals)
  if (proceeds > 0n) return proceeds
  throw invalid('amount', 'there are no bids for it now')
}

function marketCall(
  { market }: ParsedOrder,
  { quote, block, ...of }: OfOption & { quote: bigint; block: ChainBlock },
): Facts['call'] {
  const { slippageBps, seconds } = market!
  // Rounded up: never less than requested, and never zero.
  const minimum = (quote * (slippageOf - slippageBps) + slippageOf - 1n) / slippageOf
  const deadline = Math.floor(block.timestampMs / 1_000) + seconds
  return { kind: 'market', ...of, minimum: minimum.toString(), deadline: String(deadline) }
}
