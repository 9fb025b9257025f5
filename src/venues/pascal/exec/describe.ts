// Describes an artifact to its signer. Every order is one on YES, so an order on NO is shown as its mirror.
import { readDecimal } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describedOptions } from '../../shared/exec/orderOptions.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { readArtifact } from './artifact.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const { command, request } = readArtifact(unsigned)
  if (command === 'cancel_order') return { intent: 'cancel', orderId: request.client_order_id }
  const { symbol, side, price, size, post_only: postOnly, reduce_only: reduceOnly } = request
  return describeLimit({
    intent: 'order',
    instrument: symbol,
    instrumentIs: 'marketId',
    outcomeSide: 'YES',
    isBuy: side === 'BID',
    mirrored: true,
    price: readDecimal(price)!,
    size,
    currency: 'USD',
    // Without reduce-only, positions may go below zero: selling what is not held means buying the other side.
    closesOnly: reduceOnly === true,
    fee: null,
    timeInForce: 'good-til-cancel',
    expiresAt: null,
    ...describedOptions({ postOnly, reduceOnly, clientOrderId: request.client_order_id }),
  })
}
