// Describes an artifact to its signer.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { decimals } from './amounts.ts'
import { optionsOf, readArtifact } from './artifact.ts'
import { redeemedBy } from './redeem.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.orderHash }
  if (artifact.kind === 'redeem') return { intent: 'redeem', instrument: redeemedBy(artifact.redeem.data) }
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
