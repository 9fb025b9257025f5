// Describes an artifact to its sender. Every order is one on YES, so an order on NO is shown as its mirror.
import { readDecimal } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
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
  } as const
  // A modification does not say whether its order may only close.
  if (artifact.kind === 'modify') {
    const unlimited = { timeInForce: 'good-til-cancel', expiresAt: null } as const
    return describeLimit({ intent: 'modify', orderId: artifact.order_id, ...leg, ...unlimited, closesOnly: false })
  }
  const { client_order_id, expiration_time, post_only, reduce_only } = artifact
  return describeLimit({
    intent: 'order',
    ...leg,
    closesOnly: reduce_only === true,
    timeInForce: expiration_time === undefined ? 'good-til-cancel' : 'good-til-date',
    expiresAt: expiration_time === undefined ? null : expiration_time * 1_000,
    ...describedOptions({ postOnly: post_only, reduceOnly: reduce_only, clientOrderId: client_order_id }),
  })
}
