// Describes an artifact to its signer. It contains neither the payment token nor its decimals.
import type { JsonObject } from '#schemas/executions'
import type { ArtifactSummary } from '../../lane.ts'
import { describeAmounts } from '../../shared/exec/summarizeArtifact.ts'
import { readArtifact } from './artifact.ts'

/** Cash and shares have the same decimals, so their ratio is known even so. */
const asUnits = { cash: 0, shares: 0 }

export function describe(unsigned: JsonObject): ArtifactSummary {
  const { tokenId, side, makerAmount, takerAmount } = readArtifact(unsigned).message
  return {
    intent: 'order',
    instrument: tokenId,
    outcomeSide: null,
    // No documentation says that the venue refuses to sell what is not held.
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, asUnits, { closesOnly: false }),
    inUnits: true,
    currency: null,
    fee: null,
    timeInForce: 'good-til-cancel',
    expiresAt: null,
  }
}
