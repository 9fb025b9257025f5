// Describes an artifact to its signer.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describePositionCall } from '../../shared/exec/positionCalls.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { decimals } from './amounts.ts'
import { optionsOf, readArtifact } from './artifact.ts'
import { innerCall } from './kernelCall.ts'
import { redeemedBy } from './redeem.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.orderHash }
  if (artifact.kind === 'redeem') return { intent: 'redeem', instrument: redeemedBy(artifact.call.data) }
  if ('call' in artifact) return describePositionCall('predictfun', innerCall(artifact.call.data), decimals)
  const { tokenId, side, makerAmount, takerAmount, feeRateBps, expiration } = artifact.order.message
  return {
    intent: 'order',
    instrument: tokenId,
    outcomeSide: null,
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, { cash: decimals, shares: decimals }),
    currency: 'USDT',
    fee: { feeRateBps },
    timeInForce: expiration === '0' ? 'good-til-cancel' : 'good-til-date',
    expiresAt: expiration === '0' ? null : Number(expiration) * 1_000,
    ...describedOptions(optionsOf(artifact.order.post)),
  }
}
