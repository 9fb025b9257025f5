// What an artifact says to whoever signs it. It names the token that it pays in, and not how that is divided.
import type { JsonObject } from '#schemas/executions'
import type { Described } from '../../lane.ts'
import { describeAmounts } from '../../shared/exec/describe.ts'
import { redeemedCondition } from '../../shared/exec/redemption.ts'
import { readArtifact } from './artifact.ts'

/** Cash and shares have as many decimals, so that what one is in the other is told all the same. */
const asUnits = { cash: 0, shares: 0 }

export function describe(unsigned: JsonObject): Described {
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'redeem') {
    return { intent: 'redeem', instrument: redeemedCondition('opinion', artifact.redeem.data) }
  }
  const { message, post } = artifact.order
  const { tokenId, side, makerAmount, takerAmount, expiration, feeRateBps } = message
  return {
    intent: 'order',
    instrument: `${post.topicId}:${tokenId}`,
    instrumentIs: 'outcomeId',
    outcomeSide: null,
    ...describeAmounts({ isBuy: side === 0, makerAmount, takerAmount }, asUnits),
    inUnits: true,
    currency: post.currencyAddress,
    fee: { feeRateBps },
    timeInForce: expiration === '0' ? 'good-til-cancel' : 'good-til-date',
    expiresAt: expiration === '0' ? null : Number(expiration) * 1_000,
  }
}
