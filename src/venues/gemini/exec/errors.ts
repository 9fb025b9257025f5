// Gemini's refusals and their meaning: {error, message} or {result: "error", reason, message}, under a 4xx or a 200. And acceptances: the
// order's row, or {result: "ok"}.
import { z } from 'zod'
import type { OrderComparison, RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { isExpired, limitsRequests } from '../../shared/exec/relay.ts'
import type { Artifact, OrderArtifact } from './artifact.ts'
import { GeminiDone, GeminiOrder, parseExact, paths } from './wire.ts'

const ErrorBody = z.union([
  z.object({ result: z.literal('error'), reason: z.string(), message: z.string().optional() }),
  z.object({ error: z.string(), message: z.string().optional(), code: z.string().optional() }),
])

const aboutKey = (
  'InvalidSignature InvalidNonce InvalidApiKey MissingApikeyHeader MissingPayloadHeader MissingSignatureHeader MissingRole ' +
  'MissingAccounts InvalidHeader MissingNonce InvalidTimestampInPayload MissingPayloadKey RemoteAddressForbidden'
).split(' ')
/**
 * The documented reasons for rejecting an order or a cancellation. Any other reason proves nothing: `DuplicateOrder` means that an order
 * with our client order id exists, `System` and `Maintenance` that the venue itself does not know.
 */
const aboutOrder = (
  'InsufficientFunds InvalidQuantity InvalidPrice LimitPriceOffTick InvalidTotalSpend InsufficientLiquidity UnknownInstrument ' +
  'MarketNotOpen TERMS_NOT_ACCEPTED SelfCrossPrevented FillOrKillWouldNotFill ImmediateOrCancelWouldPost MakerOrCancelWouldTake ' +
  'AuctionCancelled ExceedsPriceLimits InvalidOrderType InvalidSide InvalidSymbol MissingOrderField UnsupportedOption ' +
  'ConflictingOptions ClientOrderIdTooLong ClientOrderIdMustBeString OrderNotFound EndpointMismatch EndpointNotFound InvalidJson ' +
  'InvalidRequest InvalidInput ACCOUNT_RESTRICTED_SELL_ONLY ACCOUNT_GROUP_BLOCKED'
).split(' ')

/**
 * A key without time-based nonces remembers the highest it saw, usually in milliseconds, and finds our seconds too low. Only time-based keys
 * get "not within 30 seconds": then a clock is wrong, not the key, and it is ours. A heartbeat key is recognized by the word `heartbeat`.
 */
export const geminiErrors = errorTable({
  parse: parseExact,
  alsoUnder: [200, 429],
  read(body) {
    const parsed = ErrorBody.safeParse(body)
    if (!parsed.success) return null
    const [reason, message] = wordsOf(parsed.data)
    return { code: reason, text: message === '' ? reason : `${reason}: ${message}` }
  },
  rows: [
    {
      text: /heartbeat/i,
      means: 'credential',
      ourCode: 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED',
      advice: 'this Gemini key requires a heartbeat; make one that does not',
    },
    {
      code: 'InvalidNonce',
      text: /not increased/i,
      means: 'credential',
      ourCode: 'GEMINI_TIME_NONCE_REQUIRED',
      advice: 'this Gemini key does not use time-based nonces; make one that does',
    },
    { code: 'RateLimit', means: 'notLookedAt', shownAs: limitsRequests },
    { status: [429], text: /rate.?limit|too.?many.?requests/i, means: 'notLookedAt', shownAs: limitsRequests },
    { code: 'InvalidNonce', text: /not within/i, means: 'notLookedAt', shownAs: isExpired },
    { code: aboutKey, means: 'credential' },
    { code: aboutOrder, means: 'order' },
  ],
})

/** The reason, and its explanation. An error with a `code` has its explanation in `error`. */
const wordsOf = (errorBody: z.infer<typeof ErrorBody>): readonly [string, string] =>
  'reason' in errorBody
    ? [errorBody.reason, errorBody.message ?? '']
    : errorBody.code === undefined
      ? [errorBody.error, errorBody.message ?? '']
      : [errorBody.code, errorBody.message ?? errorBody.error]

/** For a cancellation: another order's row, or a page, says nothing about this one. */
export function accept(artifact: Artifact, body: unknown): RelayOutcome | null {
  if (artifact.request === paths.cancel) return GeminiDone.safeParse(body).success ? filledSize(artifact.orderId) : null
  const { data: order } = GeminiOrder.safeParse(body)
  if (order === undefined) return null
  return { ...filledSize(order.orderId, order.filledQuantity), about: aboutOf(order, artifact) }
}

/** By our client order id; without it, by the order's terms. */
export const aboutOf = (order: GeminiOrder, ours: OrderArtifact): OrderComparison =>
  order.clientOrderId != null
    ? { 'client order id': [order.clientOrderId, ours.clientOrderId] }
    : {
        instrument: [order.symbol, ours.symbol],
        side: [order.side, ours.side],
        outcome: [order.outcome, ours.outcome],
        price: [order.price, ours.price],
        size: [order.quantity, ours.quantity],
      }
