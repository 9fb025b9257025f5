// Describes an artifact to its sender. Every order is a purchase: a sale is shown as the mirror of buying the other outcome.
import { fromUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describeLimit } from '../../shared/exec/summarizeArtifact.ts'
import { readArtifact, timesOf } from './artifact.ts'

export function describe(unsigned: JsonObject): ArtifactSummary {
  const { outcomeId, price, qty, currency, tif } = readArtifact(unsigned)
  return describeLimit({
    intent: 'order',
    instrument: outcomeId,
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    isBuy: true,
    mirrored: true,
    price: String(price),
    // Cents of payout.
    size: fromUnits(BigInt(qty), 2),
    currency,
    closesOnly: false,
    fee: null,
    timeInForce: timesOf[tif],
    expiresAt: null,
  })
}
