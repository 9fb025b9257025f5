// Calls of the conditional tokens contracts that exchange shares: a set of a market's outcomes for its price and back, and NO shares of some
// outcomes of a negative-risk event for YES shares of the others and cash. Contracts take one of two forms: that of the conditional tokens, and
// that of the adapter of negative-risk markets.
import { decodeFunctionData, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { compareDecimals, fromUnits, roundDecimal, toUnits } from '#core/decimal'
import type { PositionIntent } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import { checkAtMost, decimalOf, invalid } from './amounts.ts'
import { violation } from './artifact.ts'
import type { Hex } from './typedOrder.ts'

/** `amount`: sets, or shares of each outcome given, in base units. */
export type PositionCall =
  | { kind: 'split' | 'merge'; conditionId: Hex; amount: bigint }
  | {
      kind: 'convert'
      /** The adapter's id of the event. */
      negRiskMarketId: Hex
      /** The outcomes whose NO shares are given: bit n for the question of index n. */
      indexSet: bigint
      amount: bigint
    }

/** `collateral`: the call names the token that pays for a set. Null: the adapter's own form. */
export interface CallForm {
  collateral: Hex | null
}

const tokensAbi = parseAbi([
  'function splitPosition(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function mergePositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
])
const adapterAbi = parseAbi([
  'function splitPosition(bytes32 conditionId, uint256 amount)',
  'function mergePositions(bytes32 conditionId, uint256 amount)',
  'function convertPositions(bytes32 marketId, uint256 indexSet, uint256 amount)',
])
const noParent: Hex = `0x${'0'.repeat(64)}`
/** YES and NO. */
const partition = [1n, 2n] as const

export function encodePositionCall(call: PositionCall, { collateral }: CallForm): Hex {
  if (call.kind === 'convert') {
    const { negRiskMarketId, indexSet, amount } = call
    return encodeFunctionData({
      abi: adapterAbi,
      functionName: 'convertPositions',
      args: [negRiskMarketId, indexSet, amount],
    })
  }
  const { conditionId, amount } = call
  const functionName = call.kind === 'split' ? 'splitPosition' : 'mergePositions'
  if (collateral === null) return encodeFunctionData({ abi: adapterAbi, functionName, args: [conditionId, amount] })
  return encodeFunctionData({
    abi: tokensAbi,
    functionName,
    args: [collateral, noParent, conditionId, [...partition], amount],
  })
}

const [tokensSplit, tokensMerge] = tokensAbi
const [adapterSplit, adapterMerge, adapterConvert] = adapterAbi
const intents: ReadonlyMap<string, PositionIntent> = new Map([
  [toFunctionSelector(tokensSplit), 'split'],
  [toFunctionSelector(adapterSplit), 'split'],
  [toFunctionSelector(tokensMerge), 'merge'],
  [toFunctionSelector(adapterMerge), 'merge'],
  [toFunctionSelector(adapterConvert), 'convert'],
])

/** What calldata is for: a redemption unless it is one of the above. */
export const intentOfCall = (data: Hex): PositionIntent | 'redeem' => intents.get(data.slice(0, 10)) ?? 'redeem'

/** Throws ARTIFACT_BOUNDS_VIOLATION for bytes of another call, and for a set of other outcomes than YES and NO. */
export function readPositionCall(venue: ExecutionVenue, data: Hex): PositionCall {
  const found = decoded(data)
  if (found !== null && encodePositionCall(found.call, found.form) === data) return found.call
  throw violation(venue, 'it exchanges nothing that this lane builds', data.slice(0, 100))
}

function decoded(data: Hex): { call: PositionCall; form: CallForm } | null {
  const intent = intents.get(data.slice(0, 10))
  if (intent === undefined) return null
  try {
    const selector = data.slice(0, 10)
    if (intent === 'convert') {
      const { functionName, args } = decodeFunctionData({ abi: adapterAbi, data })
      if (functionName !== 'convertPositions') return null
      const [negRiskMarketId, indexSet, amount] = args
      return { call: { kind: 'convert', negRiskMarketId, indexSet, amount }, form: { collateral: null } }
    }
    if (selector === toFunctionSelector(tokensSplit) || selector === toFunctionSelector(tokensMerge)) {
      const [collateral, , conditionId, , amount] = decodeFunctionData({ abi: tokensAbi, data }).args
      return { call: { kind: intent, conditionId, amount }, form: { collateral } }
    }
    const { functionName, args } = decodeFunctionData({ abi: adapterAbi, data })
    if (functionName === 'convertPositions') return null
    const [conditionId, amount] = args
    return { call: { kind: intent, conditionId, amount }, form: { collateral: null } }
  } catch {
    // Truncated.
    return null
  }
}

/** Sets, or shares of one outcome. */
const amountMax = '1000000000'

export interface CallAmount {
  /** Decimal string, rounded down to the token's decimals. */
  size: string
  units: bigint
}

/** Of every amount that is stored. */
const placesMax = 18

/** Throws VALIDATION_ERROR. */
export function readCallAmount(value: number | string, decimals: number): CallAmount {
  const places = Math.min(decimals, placesMax)
  const size = roundDecimal(decimalOf('amount', value), places, 'down')
  if (compareDecimals(size, '0') <= 0) throw invalid('amount', `must be above 0 at ${places} decimals`)
  checkAtMost('amount', size, amountMax)
  return { size, units: toUnits(size, decimals) }
}

/** For a lane's `describe`. `decimals` null: the artifact does not state them. */
export function describePositionCall(venue: ExecutionVenue, data: Hex, decimals: number | null) {
  const call = readPositionCall(venue, data)
  const instrument =
    call.kind === 'convert' ? `${call.negRiskMarketId}:0x${call.indexSet.toString(16)}` : call.conditionId
  if (decimals === null) return { intent: call.kind, instrument, size: String(call.amount), inUnits: true as const }
  return { intent: call.kind, instrument, size: fromUnits(call.amount, decimals) }
}
