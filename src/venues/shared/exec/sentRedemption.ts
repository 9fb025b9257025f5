// Redemptions whose transaction the holder's wallet sends.
import type { ChainLog } from '#net/chainNode'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { Redemption } from './redemption.ts'
import { type FoundCall, sentCall } from './sentCall.ts'
import { hasTransfer, tokenEvents } from './tokenEvents.ts'
import type { Hex } from './typedOrder.ts'

interface RedemptionLane {
  venue: ExecutionVenue
  chainId: number
  /** Blocks on top of a block that is final. */
  confirmations: number
  /** Contracts whose logs count. */
  contracts: readonly Hex[]
  /** Throws ARTIFACT_BOUNDS_VIOLATION. */
  readRedemption(unsigned: JsonObject): Redemption
  conditionIn(data: Hex): Hex
  /** The called contract is an adapter: it is sent the holder's tokens, and redeems them as its own. */
  throughAdapter?: true
  /** The wallet that holds the tokens, if not the owner. */
  holderIn?(redemption: Redemption): Hex | null
}

export const sentRedemption = (lane: RedemptionLane) =>
  sentCall({
    venue: lane.venue,
    chainId: lane.chainId,
    confirmations: lane.confirmations,
    words: { noun: 'redemption', does: 'redeem this market' },
    readCall: (unsigned) => lane.readRedemption(unsigned),
    isDone: (logs, found) => hasRedeemed(lane, logs, found),
  })

function hasRedeemed(
  { contracts, conditionIn, throughAdapter, holderIn }: RedemptionLane,
  logs: readonly ChainLog[],
  { call: redemption, owner, isDirect }: FoundCall,
): boolean {
  const events = tokenEvents(logs, contracts)
  const conditionId = conditionIn(redemption.data).toLowerCase()
  const payouts = events.flatMap((event) =>
    event.eventName === 'PayoutRedemption' && event.args.conditionId.toLowerCase() === conditionId ? [event.args] : [],
  )
  if (isDirect || payouts.length === 0) return payouts.length > 0
  const holder = holderIn?.(redemption)?.toLowerCase() ?? owner
  if (throughAdapter !== true) return payouts.some(({ redeemer }) => redeemer.toLowerCase() === holder)
  return hasTransfer(events, { from: holder, to: redemption.to.toLowerCase() })
}
