// What is done at contracts: trades with pools, and what a resolved market pays. Signatures of PredictionMarketV3_4 (polkamarkets-js, ISC) and of
// ConditionalTokens; addresses: https://docs.myriad.markets/builders/contract-addresses
import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '../../shared/exec/typedOrder.ts'

/** Where the pools of a network are, by its chain id. */
const predictionMarkets: ReadonlyMap<number, Hex> = new Map([
  [56, '0x39E66eE6b2ddaf4DEfDEd3038E0162180dbeF340'],
  [2741, '0x3e0F5F8F5Fb043aBFA475C0308417Bf72c463289'],
  [59144, '0x39e66ee6b2ddaf4defded3038e0162180dbef340'],
])

/** Null for a network whose contract nobody names. */
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

/** The documents and the source that is public do not spell the first of them alike. */
const tokensAbi = parseAbi([
  'function redeemPositions(uint256 marketId)',
  'function redeemPosition(uint256 marketId)',
  'function redeemVoided(uint256 marketId)',
])

/** What calldata of this lane does. Throws where it is none. */
export const readCall = (data: Hex) => decodeFunctionData({ abi: [...poolAbi, ...tokensAbi], data })

/** A trade in base units of the collateral. `value`: what a buyer pays, or a seller gets, fees within; `shares`: the least bought, the most sold. */
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

/** Null for what is no trade with a pool. */
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

/** `outcomeId`: of a void market, which pays each outcome by itself. */
export const claimCalldata = (marketId: bigint, outcomeId: bigint | null): Hex =>
  outcomeId === null
    ? encodeFunctionData({ abi: poolAbi, functionName: 'claimWinnings', args: [marketId] })
    : encodeFunctionData({ abi: poolAbi, functionName: 'claimVoidedOutcomeShares', args: [marketId, outcomeId] })

/** What the redemption of an order book's market can be, in any spelling. */
export function redeemCalldatas(marketId: bigint, isVoid: boolean): Hex[] {
  const names = isVoid ? (['redeemVoided'] as const) : (['redeemPositions', 'redeemPosition'] as const)
  return names.map((functionName) => encodeFunctionData({ abi: tokensAbi, functionName, args: [marketId] }))
}
