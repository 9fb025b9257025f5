// Describes an artifact to its sender. Every order is one on YES, so an order on NO is shown as its mirror.
import { readDecimal } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { readArtifact } from './artifact.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.order_id }
  const { ticker, side, price, count } = artifact
  const leg = {
    instrument: ticker,
    instrumentIs: 'marketId',
    outcomeSide: 'YES',
    isBuy: side === 'bid',
    mirrored: true,
    price: readDecimal(price)!,
    size: readDecimal(count)!,
    currency: 'USD',
    fee: null,
    timeInForce: 'good-til-cancel',
    expiresAt: null,
  } as const
  // A modification does not say whether its order may only close.
  if (artifact.kind === 'modify') {
    return describeLimit({ intent: 'modify', orderId: artifact.order_id, ...leg, closesOnly: false })
  }
  return describeLimit({ intent: 'order', ...leg, closesOnly: artifact.reduce_only === true })
}
