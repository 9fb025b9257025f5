// Describes an artifact to its signer.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describePositionCall } from '../../shared/exec/positionCalls.ts'
import { redeemedCondition } from '../../shared/exec/redemption.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { optionsOf, readArtifact } from './artifact.ts'

/** USDC and outcome tokens alike. */
const decimals = { cash: 6, shares: 6 }

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.clientOrderId }
  if (artifact.kind === 'redeem') {
    return { intent: 'redeem', instrument: redeemedCondition('limitless', artifact.call.data) }
  }
  if ('call' in artifact) return describePositionCall('limitless', artifact.call.data, decimals.shares)
  const { tokenId, side, makerAmount, takerAmount, feeRateBps } = artifact.order.message
  const options = optionsOf(artifact.order.post)
  return {
    intent: 'order',
    // The artifact does not say which outcome of the market that is.
    instrument: tokenId,
    outcomeSide: null,
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, decimals),
    currency: 'USDC',
    fee: { feeRateBps },
    timeInForce: options.timeInForce,
    expiresAt: null,
    ...describedOptions(options),
  }
}
