// Describes an artifact to its signer. It does not name the payment token, and for a trade with a pool not even that token's decimals.

import { fromUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { violation } from '../../shared/exec/artifact.ts'
import { clobTimes } from '../../shared/exec/orderOptions.ts'
import { describeAmounts, describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { type Model, marketIdOf, outcomeIdOf } from '../ids.ts'
import { priceDecimals } from './amounts.ts'
import { type CallArtifact, type OrderArtifact, readArtifact } from './artifact.ts'
import { predictionMarketOf, readCall, shareDecimals } from './contracts.ts'
import { chainId, conditionalTokens } from './typedData.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.orderHash }
  return artifact.kind === 'order' ? describeOrder(artifact.order) : describeCall(artifact.call)
}

function describeOrder({ message, post }: OrderArtifact): ArtifactSummary {
  const { marketId, outcomeId, side, amount, price, expiration } = message
  const isBuy = side === 0
  return describeLimit({
    intent: 'order',
    instrument: outcomeIdOf(nameOf('ob', chainId, marketId), String(outcomeId)),
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    isBuy,
    price: fromUnits(BigInt(price), priceDecimals),
    size: fromUnits(BigInt(amount), shareDecimals),
    currency: null,
    // A seller gives shares, which must exist or nothing is traded.
    closesOnly: !isBuy,
    fee: null,
    timeInForce: clobTimes[post.time_in_force],
    expiresAt: expiration === '0' ? null : Number(expiration) * 1_000,
  })
}

/** Cash and shares have the same decimals, so their ratio is known even so. */
const asUnits = { cash: 0, shares: 0 }

function describeCall({ to, data, chainId: networkId }: CallArtifact): ArtifactSummary {
  const { functionName, args } = callIn(data)
  const [id, outcomeId] = args.map(String) as [string, string?]
  const isOfPool = functionName in { buy: 0, sell: 0, claimWinnings: 0, claimVoidedOutcomeShares: 0 }
  const contract = isOfPool ? predictionMarketOf(networkId) : networkId === chainId ? conditionalTokens : null
  if (contract?.toLowerCase() !== to.toLowerCase()) throw violation('myriad', 'it is sent to another contract')
  const marketId = nameOf(isOfPool ? 'amm' : 'ob', networkId, id)
  if (functionName === 'splitPosition' || functionName === 'mergePositions') {
    const intent = functionName === 'splitPosition' ? 'split' : 'merge'
    return { intent, instrument: marketId, size: fromUnits(args[1], shareDecimals) }
  }
  if (functionName !== 'buy' && functionName !== 'sell') {
    return { intent: 'redeem', instrument: outcomeId === undefined ? marketId : outcomeIdOf(marketId, outcomeId) }
  }
  const [first, second] = args.slice(2).map(String) as [string, string]
  const isBuy = functionName === 'buy'
  // Both name what is wanted before what is given.
  const amounts = { isBuy, makerAmount: second, takerAmount: first }
  return {
    intent: 'order',
    instrument: outcomeIdOf(marketId, outcomeId!),
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    ...describeAmounts(amounts, asUnits),
    inUnits: true,
    currency: null,
    fee: null,
    timeInForce: 'fill-or-kill',
    expiresAt: null,
  }
}

const nameOf = (model: Model, networkId: number, id: string): string =>
  marketIdOf({ networkId: String(networkId), model, id })

function callIn(data: CallArtifact['data']): ReturnType<typeof readCall> {
  try {
    return readCall(data)
  } catch (error) {
    throw violation('myriad', 'it does nothing that this lane builds', String(error))
  }
}
