// Limitless' refusals and their meaning: {message}, a sentence or several, under a 400. https://docs.limitless.exchange/api-reference/trading
import { compareDecimals, fromUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { LaneExecution, OrderComparison, RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { isExpired, limitsRequests } from '../../shared/exec/relay.ts'
import { readArtifact } from './artifact.ts'
import { LimitlessCanceled, LimitlessError, LimitlessPlaced } from './wire.ts'

export const limitlessErrors = errorTable({
  alsoUnder: [425, 429],
  read(body) {
    const { data: error } = LimitlessError.safeParse(body)
    return error === undefined ? null : { code: error.code ?? '', text: [error.message].flat().join('; ') }
  },
  rows: [
    // Operations blocked by maintenance. https://docs.limitless.exchange/developers/maintenance-mode
    {
      status: [425],
      code: ['post_only_mode', 'cancel_only_mode', 'trading_disabled'],
      means: 'notLookedAt',
      shownAs: 'limitless takes no such orders now ({code}); nothing was placed',
    },
    // The other 425: the request was signed too long ago, or ahead of the venue's clock.
    { status: [425], text: /receive window|recv_?window|timestamp/i, means: 'notLookedAt', shownAs: isExpired },
    // The venue takes a client order id once, so that a repeat is refused with a 409.
    { status: [429], text: /too many requests|rate limit/i, means: 'notLookedAt', shownAs: limitsRequests },
    // Of an account whose trading wallet mode is the smart wallet: its own wallet may not sign. Without the venue's own text: with it, this would be
    // too long to be shown.
    {
      status: [400],
      text: /use embedded address for smart wallet/i,
      means: 'order',
      shownAs:
        'this limitless account trades through its smart wallet, for which orders cannot be signed here: switch it to its own wallet (trading wallet mode "eoa")',
    },
    // 422 is the validation error of the venue's own client.
    { status: [400, 422], means: 'order' },
    { status: [401], means: 'credential' },
    // For a cancellation.
    { status: [404], text: /order not found/i, means: 'order' },
    // A 409 says that our own client order id exists; 403 is not documented for order entry.
  ],
})

/** Shares and cash have six decimals. */
const decimals = 6

export function acceptOrder(body: unknown, { unsigned, terms }: LaneExecution): RelayOutcome | null {
  const answer = LimitlessPlaced.safeParse(body)
  if (!answer.success) return null
  const { order, execution } = answer.data
  const units = execution?.totalsRaw?.contractsGross
  const isSettled = execution?.settlementStatus !== 'FAILED'
  const matched = execution?.matched !== true || units == null || !isSettled ? null : fromUnits(BigInt(units), decimals)
  const acceptance = { ...filledSize(order.id, matched, terms?.size), about: aboutOf(order, unsigned) }
  // Accepted and cancelled at once: it would have matched an order of its own owner, or never rests and met no other.
  const word = execution?.settlementStatus
  const isOut = word === 'CANCELED' || (word === 'UNMATCHED' && execution?.matched === false && neverRests(unsigned))
  return isOut && compareDecimals(matched ?? '0', '0') === 0 ? { ...acceptance, status: 'canceled' } : acceptance
}

function neverRests(unsigned: JsonObject): boolean {
  const artifact = readArtifact(unsigned)
  return artifact.kind === 'order' && artifact.order.post.orderType === 'FAK'
}

function aboutOf(
  { clientOrderId, salt }: { clientOrderId?: OptionalText; salt?: OptionalText | number },
  unsigned: JsonObject,
): OrderComparison {
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order') return {}
  const { message, post } = artifact.order
  return { 'client order id': [clientOrderId, post.clientOrderId], salt: [salt, message.salt] }
}

type OptionalText = string | null | undefined

/** It names no order: it is about the requested one. */
export const acceptCancel = (body: unknown, clientOrderId: string): RelayOutcome | null =>
  LimitlessCanceled.safeParse(body).success ? filledSize(clientOrderId) : null
