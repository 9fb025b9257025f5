// Describes an artifact to its signer. It contains the address of the payment token, but neither its symbol nor its decimals.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describePositionCall } from '../../shared/exec/positionCalls.ts'
import { redeemedCondition } from '../../shared/exec/redemption.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { readArtifact } from './artifact.ts'

/** Cash and shares have the same decimals, so their ratio is known even so. */
const asUnits = { cash: 0, shares: 0 }

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.orderId }
  if (artifact.kind === 'redeem') {
    return { intent: 'redeem', instrument: redeemedCondition('opinion', artifact.call.data) }
  }
  if ('call' in artifact) return describePositionCall('opinion', artifact.call.data, null)
  const { message, post } = artifact.order
  const { tokenId, side, makerAmount, takerAmount, expiration, feeRateBps } = message
  return {
    intent: 'order',
    instrument: `${post.topicId}:${tokenId}`,
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, asUnits),
    inUnits: true,
    currency: null,
    fee: { feeRateBps },
    timeInForce: expiration === '0' ? 'good-til-cancel' : 'good-til-date',
    expiresAt: expiration === '0' ? null : Number(expiration) * 1_000,
    ...describedOptions({ postOnly: post.postOnly }),
  }
}
