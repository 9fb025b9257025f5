// Contract calls: trades with pools, and payouts of resolved markets. Signatures of PredictionMarketV3_4 (polkamarkets-js, ISC) and of
// ConditionalTokens; addresses: https://docs.myriad.markets/builders/contract-addresses
import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '../../shared/exec/typedOrder.ts'

/** The pools' contract on each network, by chain id. */
const predictionMarkets: ReadonlyMap<number, Hex> = new Map([
  [56, '0x39E66eE6b2ddaf4DEfDEd3038E0162180dbeF340'],
  [2741, '0x3e0F5F8F5Fb043aBFA475C0308417Bf72c463289'],
  [59144, '0x39e66ee6b2ddaf4defded3038e0162180dbef340'],
])

/** Null for a network whose contract is not published. */
export const predictionMarketOf = (networkId: number): Hex | null => predictionMarkets.get(networkId) ?? null

export const poolAbi = parseAbi([
  'function buy(uint256 marketId, uint256 outcomeId, uint256 minOutcomeSharesToBuy, uint256 value)',
  'function sell(uint256 marketId, uint256 outcomeId, uint256 value, uint256 maxOutcomeSharesToSell)',
  'function claimWinnings(uint256 marketId)',
  'function claimVoidedOutcomeShares(uint256 marketId, uint256 outcomeId)',
])

export const quoteAbi = parseAbi([
  'function calcBuyAmount(uint256 amount, uint256 marketId, uint256 outcomeId) view returns (uint256)',
  'function calcSellAmount(uint256 amount, uint256 marketId, uint256 outcomeId) view returns (uint256)',
])

/** The documentation and the public source spell the first of them differently. */
const tokensAbi = parseAbi([
  'function redeemPositions(uint256 marketId)',
  'function redeemPosition(uint256 marketId)',
  'function redeemVoided(uint256 marketId)',
])

const setAbi = parseAbi([
  'function splitPosition(uint256 marketId, uint256 amount)',
  'function mergePositions(uint256 marketId, uint256 amount)',
])

/** Decodes calldata of this lane. Throws for any other. */
export const readCall = (data: Hex) => decodeFunctionData({ abi: [...poolAbi, ...tokensAbi, ...setAbi], data })

/** `amount` of sets, in base units. */
export const setCalldata = (kind: 'split' | 'merge', marketId: bigint, amount: bigint): Hex =>
  encodeFunctionData({
    abi: setAbi,
    functionName: kind === 'split' ? 'splitPosition' : 'mergePositions',
    args: [marketId, amount],
  })

/**
 * A trade in base units of the collateral. `value`: paid by a buyer or received by a seller, fees included; `shares`: minimum bought, maximum sold.
 */
export interface PoolTrade {
  isBuy: boolean
  marketId: bigint
  outcomeId: bigint
  value: bigint
  shares: bigint
}

export const tradeCalldata = ({ isBuy, marketId, outcomeId, value, shares }: PoolTrade): Hex =>
  isBuy
    ? encodeFunctionData({ abi: poolAbi, functionName: 'buy', args: [marketId, outcomeId, shares, value] })
    : encodeFunctionData({ abi: poolAbi, functionName: 'sell', args: [marketId, outcomeId, value, shares] })

/** Null for anything but a trade with a pool. */
export function readTrade(data: Hex): PoolTrade | null {
  let call: ReturnType<typeof decodeFunctionData<typeof poolAbi>>
  try {
    call = decodeFunctionData({ abi: poolAbi, data })
  } catch {
    return null
  }
  const { functionName, args } = call
  if (functionName === 'buy') {
    const [marketId, outcomeId, shares, value] = args
    return { isBuy: true, marketId, outcomeId, value, shares }
  }
  if (functionName !== 'sell') return null
  const [marketId, outcomeId, value, shares] = args
  return { isBuy: false, marketId, outcomeId, value, shares }
}

/** `outcomeId`: for a void market, which pays each outcome separately. */
export const claimCalldata = (marketId: bigint, outcomeId: bigint | null): Hex =>
  outcomeId === null
    ? encodeFunctionData({ abi: poolAbi, functionName: 'claimWinnings', args: [marketId] })
    : encodeFunctionData({ abi: poolAbi, functionName: 'claimVoidedOutcomeShares', args: [marketId, outcomeId] })

/** The possible redemption calls of an order book's market, in any spelling. */
export function redeemCalldatas(marketId: bigint, isVoid: boolean): Hex[] {
  const names = isVoid ? (['redeemVoided'] as const) : (['redeemPositions', 'redeemPosition'] as const)
  return names.map((functionName) => encodeFunctionData({ abi: tokensAbi, functionName, args: [marketId] }))
}

/** Decimals of the shares of order books, and of their amounts in orders. */
export const shareDecimals = 18
