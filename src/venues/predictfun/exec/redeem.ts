// A redemption goes to the token contract of the market's kind, or to the adapter of negative-risk markets, which requires the amount of each side.
// A smart wallet sends it as a call of its own.
import { decodeFunctionData, encodeFunctionData, parseAbi, slice, toFunctionSelector } from 'viem'
import { toUnits } from '#core/decimal'
import type { Market } from '#schemas/market'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { violation } from '../../shared/exec/artifact.ts'
import {
  lossWarning,
  redeemedCondition,
  redeemPositions,
  redemption,
  resolveRedeemed,
} from '../../shared/exec/redemption.ts'
import { sentRedemption } from '../../shared/exec/sentRedemption.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { decimals } from './amounts.ts'
import { readCall } from './artifact.ts'
import type { RedeemBody } from './body.ts'
import { type CatalogFacts, readCatalogFacts } from './facts.ts'
import { executed, holderIn, innerCall } from './kernelCall.ts'
import { chainId, kindOf, redeemers, usdt } from './typedData.ts'

const adapterAbi = parseAbi(['function redeemPositions(bytes32 conditionId, uint256[] amounts)'])
const amountMax = '1000000000'

export async function buildRedeem({ catalog }: LaneContext, body: RedeemBody): Promise<Built> {
  const resolved = await resolveRedeemed(catalog, body)
  const facts = readCatalogFacts(resolved)
  const { owner, predictAccount } = body
  const call = { to: redeemers[kindOf(facts)], data: facts.negRisk ? ofAdapter(body, facts) : ofTokens(body, facts) }
  const sent = predictAccount === undefined ? call : { to: predictAccount, data: executed(call) }
  const holder = predictAccount === undefined ? 'the wallet that holds the tokens' : 'the owner of the smart wallet'
  const approval = facts.negRisk ? `, which must first have approved ${call.to} for them (setApprovalForAll)` : ''
  return redemption(
    { ...sent, chainId },
    { owner, warnings: [`${holder} must send this${approval}`, ...lossWarning(body, resolved)] },
  )
}

/** The adapter redeems an amount of one side; the token contract redeems everything. */
export const needsAmount = ({ sourceMetadata }: Market): boolean => sourceMetadata.negRisk === true

function ofTokens({ amount }: RedeemBody, { conditionId }: CatalogFacts): Hex {
  if (amount !== undefined) throw invalid('amount', 'is always everything in a stand-alone market: leave it out')
  return redeemPositions(usdt, conditionId)
}

function ofAdapter({ amount, asset, outcomeSide }: RedeemBody, { conditionId, side }: CatalogFacts): Hex {
  if (amount === undefined)
    throw invalid('amount', 'is required in a negative-risk market: the number of shares to redeem')
  if (asset === undefined && outcomeSide === undefined) throw invalid('outcomeSide', 'is required with an amount')
  const amountText = decimalOf('amount', amount)
  checkAtMost('amount', amountText, amountMax)
  const units = unitsOf(amountText)
  const args = [conditionId, side === 'YES' ? [units, 0n] : [0n, units]] as const
  return encodeFunctionData({ abi: adapterAbi, functionName: 'redeemPositions', args })
}

function unitsOf(amountText: string): bigint {
  if ((amountText.split('.')[1] ?? '').length > decimals) throw invalid('amount', `has more than ${decimals} decimals`)
  const units = toUnits(amountText, decimals)
  if (units <= 0n) throw invalid('amount', 'must be above 0')
  return units
}

const [adapterCall] = adapterAbi

/** The condition redeemed by calldata of this lane. Throws ARTIFACT_BOUNDS_VIOLATION for other calldata. */
export function redeemedBy(data: Hex): Hex {
  try {
    return conditionIn(innerCall(data))
  } catch (error) {
    throw violation('predictfun', 'it redeems nothing that this lane builds', String(error))
  }
}

function conditionIn(data: Hex): Hex {
  if (slice(data, 0, 4) === toFunctionSelector(adapterCall))
    return decodeFunctionData({ abi: adapterAbi, data }).args[0]
  return redeemedCondition('predictfun', data)
}

/** As at https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/bsc-api-list/: half of 21 validators, eight blocks each in a row. */
export const confirmations = 88

export const sent = sentRedemption({
  venue: 'predictfun',
  chainId,
  confirmations,
  contracts: Object.values(redeemers),
  readRedemption: readCall,
  conditionIn: redeemedBy,
  // A smart wallet is called by its owner, and holds the tokens.
  holderIn,
})
