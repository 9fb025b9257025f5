// Describes an artifact to its signer. Its price is separate from the amounts; a buyer pays price times size.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { readArtifact } from './artifact.ts'

/** USDC and outcome tokens alike. */
const decimals = { cash: 6, shares: 6 }

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.orderId }
  const { message, post } = artifact.order
  const { side, makerAmount, takerAmount, feeRateBps } = message
  return {
    intent: 'order',
    instrument: `${post.marketId}:${post.outcome}`,
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, decimals),
    price: post.price,
    currency: 'USDC',
    fee: { feeRateBps },
    timeInForce: 'good-til-cancel',
    expiresAt: null,
  }
}
