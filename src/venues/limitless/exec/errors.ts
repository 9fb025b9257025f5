// Limitless' refusals and their meaning: {message}, a sentence or several, under a 400. https://docs.limitless.exchange/api-reference/trading
import { compareDecimals, fromUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { LaneExecution, OrderComparison, RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { type ErrorCodes, isExpired, limitsRequests } from '../../shared/exec/relay.ts'
import { readArtifact } from './artifact.ts'
import { LimitlessCanceled, LimitlessError, LimitlessPlaced } from './wire.ts'

/**
 * Operations blocked by maintenance get a 425 with one of these. https://docs.limitless.exchange/developers/maintenance-mode
 */
const maintenance = new Set(['post_only_mode', 'cancel_only_mode', 'trading_disabled'])

/** The other 425: the request was signed too long ago, or ahead of the venue's clock. */
const outOfTime = /receive window|recv_?window|timestamp/i
/** Of an account whose trading wallet mode is the smart wallet: its own wallet may not sign. */
const smartWallet = /use embedded address for smart wallet/i
/** Without the venue's own text: with it, it would be too long to be shown. */
const smartWalletWords =
  'this limitless account trades through its smart wallet, for which orders cannot be signed here: switch it to its own wallet (trading wallet mode "eoa")'

const tooMany = /too many requests|rate limit/i

export const limitlessErrors: ErrorCodes = {
  alsoUnder: [425, 429],
  refusal(body, status) {
    const parsed = LimitlessError.safeParse(body)
    if (!parsed.success) return null
    const { message, code } = parsed.data
    const text = [message].flat().join('; ')
    if (status === 425 && code !== undefined && maintenance.has(code)) {
      return { means: 'notLookedAt', text: `limitless takes no such orders now (${code}); nothing was placed` }
    }
    if (status === 425 && outOfTime.test(text)) return { means: 'notLookedAt', text: isExpired }
    // The venue takes a client order id once, so that a repeat is refused with a 409.
    if (status === 429 && tooMany.test(text)) return { means: 'notLookedAt', text: limitsRequests }
    // 422 is the validation error of the venue's own client.
    if (status === 400 && smartWallet.test(text)) return { means: 'order', text: smartWalletWords }
    if (status === 400 || status === 422) return { means: 'order', text }
    if (status === 401) return { means: 'credential', text }
    // For a cancellation.
    if (status === 404 && /order not found/i.test(text)) return { means: 'order', text }
    // A 409 says that our own client order id exists; 403 is not documented for order entry.
    return { means: 'unclear', text }
  },
}

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
  // Accepted and cancelled at once: it would have matched an order of its own owner.
  const isOut = execution?.settlementStatus === 'CANCELED' && compareDecimals(matched ?? '0', '0') === 0
  return isOut ? { ...acceptance, status: 'canceled' } : acceptance
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
