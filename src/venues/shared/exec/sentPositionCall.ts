// Splits, merges and conversions whose transaction the holder's wallet sends. The contract's own log shows that shares were exchanged, and how
// many.
import type { ChainLog } from '#net/chainNode'
import type { JsonObject, PositionIntent } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { PositionCall } from './positionCalls.ts'
import type { Redemption } from './redemption.ts'
import { type FoundCall, sentCall } from './sentCall.ts'
import { hasTransfer, type TokenEvent, tokenEvents } from './tokenEvents.ts'
import type { Hex } from './typedOrder.ts'

interface PositionLane {
  venue: ExecutionVenue
  chainId: number
  /** Blocks on top of a block that is final. */
  confirmations: number
  /** Contracts whose logs count. */
  contracts: readonly Hex[]
  /** Throws ARTIFACT_BOUNDS_VIOLATION. */
  readCall(unsigned: JsonObject): Redemption
  exchangeIn(data: Hex): PositionCall
  /** The called contract is an adapter that exchanges in its own name, and passes the shares on to or from the holder. */
  throughAdapter?: true
  /** The wallet that holds the tokens, if not the owner. */
  holderIn?(call: Redemption): Hex | null
}

const words = {
  split: { noun: 'split', does: 'split this amount of this market' },
  merge: { noun: 'merge', does: 'merge this amount of this market' },
  convert: { noun: 'conversion', does: 'convert these shares' },
} as const satisfies Record<PositionIntent, object>

/** For one of the lane's verbs. */
export const sentPositionCall = (intent: PositionIntent, lane: PositionLane) =>
  sentCall({
    venue: lane.venue,
    chainId: lane.chainId,
    confirmations: lane.confirmations,
    words: words[intent],
    readCall: (unsigned) => lane.readCall(unsigned),
    isDone: (logs, found) => hasExchanged(lane, logs, found),
  })

function hasExchanged(
  { contracts, exchangeIn, throughAdapter, holderIn }: PositionLane,
  logs: readonly ChainLog[],
  { call, owner, isDirect }: FoundCall,
): boolean {
  const events = tokenEvents(logs, contracts)
  const exchange = exchangeIn(call.data)
  const stakeholders = events.flatMap((event) => stakeholderOf(event, exchange) ?? [])
  if (isDirect || stakeholders.length === 0) return stakeholders.length > 0
  const holder = holderIn?.(call)?.toLowerCase() ?? owner
  if (throughAdapter !== true) return stakeholders.includes(holder)
  const contract = call.to.toLowerCase()
  return hasTransfer(
    events,
    exchange.kind === 'split' ? { from: contract, to: holder } : { from: holder, to: contract },
  )
}

/** Lower case; null: the event is of something else, or of another amount. */
function stakeholderOf(event: TokenEvent, exchange: PositionCall): string | null {
  if (exchange.kind === 'convert') {
    if (event.eventName !== 'PositionsConverted') return null
    const { stakeholder, marketId, indexSet, amount } = event.args
    const isSame = marketId.toLowerCase() === exchange.negRiskMarketId.toLowerCase() && indexSet === exchange.indexSet
    return isSame && amount === exchange.amount ? stakeholder.toLowerCase() : null
  }
  if (event.eventName !== (exchange.kind === 'split' ? 'PositionSplit' : 'PositionsMerge')) return null
  const { stakeholder, conditionId, amount } = event.args as {
    stakeholder: string
    conditionId: string
    amount: bigint
  }
  const isSame = conditionId.toLowerCase() === exchange.conditionId.toLowerCase() && amount === exchange.amount
  return isSame ? stakeholder.toLowerCase() : null
}
