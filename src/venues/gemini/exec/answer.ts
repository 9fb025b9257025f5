// What Gemini's answers prove, and its refusals in our words. Errors come as {error, message} or {result: "error", reason, message}.
import { z } from 'zod'
import type { SendOutcome } from '#net/http'
import type { ErrorCode } from '#schemas/errors'
import type { RelayOutcome } from '../../lane.ts'
import { parseExact } from './json.ts'

const textMax = 500

const Refusal = z.union([
  z.object({ result: z.literal('error'), reason: z.string(), message: z.string().optional() }),
  z.object({ error: z.string(), message: z.string().optional() }),
])

type KeyCode = Extract<ErrorCode, 'GEMINI_TIME_NONCE_REQUIRED' | 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED'>

export interface VenueRefusal {
  /** `Reason: message`, as the venue said it. */
  text: string
  /**
   * `key` and `service`: turned down before the order was looked at, by the caller's fault or by ours. `order`: looked at and refused.
   * `unclear`: no evidence that nothing rests.
   */
  about: 'key' | 'service' | 'order' | 'unclear'
  code?: KeyCode
}

const limited = 'the venue limits requests; nothing was placed'
const clockIsOff = 'the venue’s clock and ours disagree; nothing was placed'

const keyReasons =
  /^(InvalidSignature|InvalidNonce|InvalidApiKey|MissingApikeyHeader|MissingPayloadHeader|MissingRole|MissingAccounts|InvalidHeader)$/
/** `DuplicateOrder`: an order with our own client order id is there. `System`, `Maintenance`: the venue itself does not know. */
const unclearReasons = /^(DuplicateOrder|System|Maintenance|InternalError)$/

/** Null when the text is no refusal. */
export function readRefusal(text: string): VenueRefusal | null {
  const parsed = Refusal.safeParse(parseExact(text))
  if (!parsed.success) return null
  const reason = 'reason' in parsed.data ? parsed.data.reason : parsed.data.error
  const message = parsed.data.message ?? ''
  const said = (message === '' ? reason : `${reason}: ${message}`).slice(0, textMax)
  const code = keyCode(reason, message)
  if (code !== undefined) return { text: said, about: 'key', code }
  if (reason === 'RateLimit') return { text: limited, about: 'service' }
  if (reason === 'InvalidNonce' && /not within/i.test(message)) return { text: clockIsOff, about: 'service' }
  if (unclearReasons.test(reason)) return { text: said, about: 'unclear' }
  return { text: said, about: keyReasons.test(reason) ? 'key' : 'order' }
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

/** `accept` reads a 200 that is no refusal; null when it proves nothing. */
export function relayOutcome(sent: SendOutcome, accept: (body: unknown) => RelayOutcome | null): RelayOutcome {
  if (sent.kind === 'not_sent')
    return { kind: 'refused', reason: 'the venue could not be reached and nothing was sent', code: 'NETWORK_ERROR' }
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  const unknown: RelayOutcome = { kind: 'unknown', cause: new Error(`status ${status}: ${text.slice(0, textMax)}`) }
  if (status === 429) return { kind: 'refused', reason: limited, code: 'NETWORK_ERROR' }
  if (status === 408 || status >= 500 || (status >= 300 && status < 400)) return unknown
  const refusal = readRefusal(text)
  if (refusal === null) {
    if (status === 200 || status === 201) return accept(parseExact(text)) ?? unknown
    if (status === 401 || status === 403) return { kind: 'refused', reason: `status ${status}` }
    return status >= 400 ? { kind: 'rejected', reason: text.slice(0, textMax) || `status ${status}` } : unknown
  }
  if (refusal.about === 'service') return { kind: 'refused', reason: refusal.text, code: 'NETWORK_ERROR' }
  if (refusal.about === 'unclear') return { kind: 'unknown', cause: new Error(refusal.text) }
  if (refusal.about === 'order' && status !== 401 && status !== 403) return { kind: 'rejected', reason: refusal.text }
  return refusal.code === undefined
    ? { kind: 'refused', reason: refusal.text }
    : { kind: 'refused', reason: refusal.text, code: refusal.code }
}
