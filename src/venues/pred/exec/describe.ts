// Describes an artifact to its signer. Every order is one on the long side: short at p is buying NO at 1 − p as well as selling YES.
import { fromUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { marketIdOf } from '../ids.ts'
import { readArtifact } from './artifact.ts'

/** Of prices and quantities as signed. */
const decimals = 6

export function describe(unsigned: JsonObject): ArtifactSummary {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'cancel') return { intent: 'cancel', orderId: artifact.cancel.order_id }
  const { message, post } = artifact.order
  return describeLimit({
    intent: 'order',
    instrument: marketIdOf(post.parentMarketId, message.questionId),
    instrumentIs: 'marketId',
    outcomeSide: 'YES',
    isBuy: message.intent === 0,
    mirrored: true,
    price: fromUnits(BigInt(message.price), decimals),
    size: fromUnits(BigInt(message.quantity), decimals),
    currency: 'USD',
    // How the venue offsets a short against a held long is undocumented.
    closesOnly: false,
    fee: { feeRateBps: message.feeRateBps },
    timeInForce: 'good-til-cancel',
    expiresAt: null,
  })
}
