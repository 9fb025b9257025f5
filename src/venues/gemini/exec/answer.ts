// How Gemini words a refusal, and what it means: {error, message} or {result: "error", reason, message}, under a 4xx as under a 200. And an
// acceptance: the order's row, or {result: "ok"}.
import { z } from 'zod'
import type { ErrorCode } from '#schemas/errors'
import type { About, RelayOutcome } from '../../lane.ts'
import { accepted } from '../../shared/exec/accepted.ts'
import { type AnswerWords, cameOutOfTime, limitsRequests } from '../../shared/exec/relay.ts'
import type { Artifact, OrderArtifact } from './artifact.ts'
import { GeminiDone, GeminiOrder, parseExact, paths } from './wire.ts'

const Said = z.union([
  z.object({ result: z.literal('error'), reason: z.string(), message: z.string().optional() }),
  z.object({ error: z.string(), message: z.string().optional() }),
])

type KeyCode = Extract<ErrorCode, 'GEMINI_TIME_NONCE_REQUIRED' | 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED'>

const aboutKey = new Set(
  (
    'InvalidSignature InvalidNonce InvalidApiKey MissingApikeyHeader MissingPayloadHeader MissingSignatureHeader MissingRole ' +
    'MissingAccounts InvalidHeader'
  ).split(' '),
)
/**
 * The documented reasons for which an order or a cancellation is turned down. A word that is not among them proves nothing: `DuplicateOrder`
 * means that one with our own client order id is there, `System` and `Maintenance` that the venue does not know itself.
 */
const aboutOrder = new Set(
  (
    'InsufficientFunds InvalidQuantity InvalidPrice LimitPriceOffTick InvalidTotalSpend InsufficientLiquidity UnknownInstrument ' +
    'MarketNotOpen TERMS_NOT_ACCEPTED SelfCrossPrevented FillOrKillWouldNotFill ImmediateOrCancelWouldPost MakerOrCancelWouldTake ' +
    'AuctionCancelled ExceedsPriceLimits InvalidOrderType InvalidSide InvalidSymbol MissingOrderField UnsupportedOption ' +
    'ConflictingOptions ClientOrderIdTooLong ClientOrderIdMustBeString OrderNotFound EndpointMismatch EndpointNotFound InvalidJson ' +
    'InvalidRequest'
  ).split(' '),
)

export const geminiWords: AnswerWords = {
  parse: parseExact,
  alsoUnder: [200, 429],
  refusal(body) {
    const parsed = Said.safeParse(body)
    if (!parsed.success) return null
    const reason = 'reason' in parsed.data ? parsed.data.reason : parsed.data.error
    const message = parsed.data.message ?? ''
    const text = message === '' ? reason : `${reason}: ${message}`
    const code = keyCode(reason, message)
    if (code !== undefined) return { means: 'credential', text, code, advice: advice[code] }
    if (reason === 'RateLimit') return { means: 'notLookedAt', text: limitsRequests }
    if (reason === 'InvalidNonce' && /not within/i.test(message)) return { means: 'notLookedAt', text: cameOutOfTime }
    if (aboutKey.has(reason)) return { means: 'credential', text }
    return { means: aboutOrder.has(reason) ? 'order' : 'unclear', text }
  },
}

const advice: Readonly<Record<KeyCode, string>> = {
  GEMINI_TIME_NONCE_REQUIRED: 'this Gemini key does not use time-based nonces; make one that does',
  GEMINI_HEARTBEAT_KEY_UNSUPPORTED: 'this Gemini key requires a heartbeat; make one that does not',
}

/**
 * A key without time-based nonces remembers the highest it saw, in milliseconds as a rule, and finds our seconds too low. "Not within 30
 * seconds" is said to time-based keys alone: there a clock is wrong, not the key, and the clock is ours. A heartbeat key is known by the word.
 */
function keyCode(reason: string, message: string): KeyCode | undefined {
  if (/heartbeat/i.test(reason) || /heartbeat/i.test(message)) return 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED'
  if (reason === 'InvalidNonce' && /not increased/i.test(message)) return 'GEMINI_TIME_NONCE_REQUIRED'
  return undefined
}

/** Of a cancellation: another order's row, or a page, is no word about this one. */
export function accept(artifact: Artifact, body: unknown): RelayOutcome | null {
  if (artifact.request === paths.cancel) return GeminiDone.safeParse(body).success ? accepted(artifact.orderId) : null
  const { data: order } = GeminiOrder.safeParse(body)
  if (order === undefined) return null
  return { ...accepted(order.orderId, order.filledQuantity), about: aboutOf(order, artifact) }
}

/** By our name for it; where that is not told, by what it says. */
export const aboutOf = (order: GeminiOrder, ours: OrderArtifact): About =>
  order.clientOrderId != null
    ? { 'client order id': [order.clientOrderId, ours.clientOrderId] }
    : {
        instrument: [order.symbol, ours.symbol],
        side: [order.side, ours.side],
        outcome: [order.outcome, ours.outcome],
        price: [order.price, ours.price],
        size: [order.quantity, ours.quantity],
      }
