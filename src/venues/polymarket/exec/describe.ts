// Describes an artifact to its signer.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describePositionCall } from '../../shared/exec/positionCalls.ts'
import { redeemedCondition } from '../../shared/exec/redemption.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { optionsOf, orderIn, readArtifact } from './artifact.ts'
import { zeroBytes32 } from './typedData.ts'

/** pUSD and outcome tokens alike. */
const decimals = { cash: 6, shares: 6 }

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.orderID }
  if (artifact.kind === 'redeem') {
    return { intent: 'redeem', instrument: redeemedCondition('polymarket', artifact.call.data) }
  }
  if ('call' in artifact) return describePositionCall('polymarket', artifact.call.data, decimals.shares)
  const { post } = artifact.order
  const { tokenId, side, makerAmount, takerAmount, builder } = orderIn(artifact.order)
  return {
    intent: 'order',
    instrument: tokenId,
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, decimals),
    currency: 'pUSD',
    // A builder charges its own fee; the order does not state the venue's.
    fee: builder === zeroBytes32 ? null : { builder },
    timeInForce: optionsOf(post).timeInForce,
    expiresAt: post.expiration === '0' ? null : Number(post.expiration) * 1_000,
    ...describedOptions(optionsOf(post)),
  }
}
