// What an artifact says to whoever signs it. Every order is one on YES, so that one on NO is told as its mirror.
import { readDecimal } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Described } from '../../lane.ts'
import { describeLimit } from '../../shared/exec/describe.ts'
import { readArtifact } from './artifact.ts'

export function describe(unsigned: JsonObject): Described {
  const { command, request } = readArtifact(unsigned)
  if (command === 'cancel_order') return { intent: 'cancel', orderId: request.client_order_id }
  const { symbol, side, price, size } = request
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
    // Positions go below zero: a sale of what is not held is the other side bought.
    closesOnly: false,
    fee: null,
    timeInForce: 'good-til-cancel',
    expiresAt: null,
  })
}
