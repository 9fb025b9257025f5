// What an artifact says to whoever signs it. Neither the token it pays in nor how that is divided stands there.
import type { JsonObject } from '#schemas/executions'
import type { Described } from '../../lane.ts'
import { describeAmounts } from '../../shared/exec/describe.ts'
import { readArtifact } from './artifact.ts'

/** Cash and shares have as many decimals, so that what one is in the other is told all the same. */
const asUnits = { cash: 0, shares: 0 }

export function describe(unsigned: JsonObject): Described {
  const { tokenId, side, makerAmount, takerAmount } = readArtifact(unsigned).message
  return {
    intent: 'order',
    instrument: tokenId,
    outcomeSide: null,
    // Nowhere said that the venue refuses to sell what is not held.
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, asUnits, { closesOnly: false }),
    inUnits: true,
    currency: null,
    fee: null,
    timeInForce: 'good-til-cancel',
    expiresAt: null,
  }
}
