// What the response to a relayed order proves: the same rules for every lane. A venue supplies only its wording.
//
//   nothing left us                                   ─► refused   nothing can have been placed
//   no response                                       ─► unknown
//   acceptance  under 2xx                             ─► accepted  (or the rejection contained in such a body)
//               under anything else                   ─► unknown   the two contradict each other
//   refusal     in the venue's own documented shape,
//               under a status it documents           ─► rejected, refused or unknown, by what the refusal means
//   anything else: a foreign page, half a body        ─► unknown   the venue may have accepted the order anyway
//
// Only a refusal written by the venue itself ends an order. Undocumented answers prove nothing, nor does anything
// a server between us and the venue may say in the same shape.
import { STATUS_CODES } from 'node:http'
import { Fault } from '#core/fault'
import type { SendOutcome } from '#net/http'
import type { RelayOutcome } from '../../lane.ts'
import { messageIn } from './messageIn.ts'

/** Maximum length of a venue's text, in characters. */
export const textMax = 500

export const limitsRequests = 'the venue limits requests; nothing was placed'
/** For a 429 at a venue that takes the same bytes only once. */
const mayBeSentAgain = 'requests are limited: the same order can be sent again, the venue takes it only once'
/** For a signature that the venue finds too old or too new: neither the venue nor we can distinguish the two causes. */
export const isExpired =
  'the venue says that the time of signing is too far from its own: the request was slow to arrive, or the clocks disagree; nothing was placed'

type RefusalCode = Exclude<Extract<RelayOutcome, { kind: 'refused' }>['code'], 'NETWORK_ERROR' | undefined>

/** What the venue's own refusal means. */
export type Refusal =
  /** The order was examined and rejected. */
  | { means: 'order'; text: string }
  /** The credentials were rejected before the order was examined. `advice`: what the caller has to change, in our own wording. */
  | { means: 'credential'; text: string; code?: RefusalCode; advice?: string }
  /** The order was not examined, and it is not the caller's fault. `text` is our own wording: it is shown as it is. */
  | { means: 'notLookedAt'; text: string }
  /** Does not prove that nothing rests: a duplicate of our own order, trouble inside the venue, an undocumented word. */
  | { means: 'unclear'; text: string }

export interface ErrorCodes {
  /** Undefined for unreadable text. Defaults to JSON. */
  parse?(text: string): unknown
  /** Null for every body that is not in the venue's own shape. Also used by reads. */
  refusal(body: unknown, status: number): Refusal | null
  /** Statuses besides the plain 4xx under which the venue documents refusals. */
  alsoUnder: readonly number[]
  /**
   * The venue takes the same bytes only once (by nonce, by hash): whichever server answered 429, sending them again cannot place a second
   * order, and the order is found by the same name if the first copy had arrived.
   */
  takesSameBytesOnce?: true
}

/** The waiting side gave up: the order may have been passed on. */
const gaveUp: readonly number[] = [408, 499]
/** Under these, a refusal can only mean that the order was not examined. */
const tooMuch: readonly number[] = [425, 429]

/** `acceptance` reads a body that reports the order's outcome; null when it proves nothing. */
export function relayOutcome(
  words: ErrorCodes,
  sent: SendOutcome,
  acceptance: (body: unknown) => RelayOutcome | null,
): RelayOutcome {
  if (sent.kind === 'not_sent') return unsent(sent.cause)
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  const body = (words.parse ?? parseJson)(text)
  const unknown: RelayOutcome = {
    kind: 'unknown',
    cause: new Error(`status ${status}: ${text.slice(0, textMax)}`),
    httpStatus: status,
    text: (words.refusal(body, status)?.text ?? messageIn(body)).slice(0, textMax),
  }
  const accepted = acceptance(body)
  if (isSuccess(status) && accepted !== null) return accepted
  if (accepted?.kind === 'accepted') return unknown
  const refusal = readRefusal(words, body, status)
  const outcome = refusal === null ? null : outcomeOf(refusal)
  if (outcome !== null) return outcome
  return status === 429 && words.takesSameBytesOnce === true && !isPage(text)
    ? { kind: 'refused', reason: mayBeSentAgain, code: 'NETWORK_ERROR' }
    : unknown
}

/** A proxy in front of the venue answers with a page: the venue itself may have taken the order. */
const isPage = (text: string): boolean => text.trimStart().startsWith('<')

function unsent(cause: unknown): RelayOutcome {
  // The credentials could not sign.
  if (cause instanceof Fault && cause.code === 'VENUE_CREDENTIAL_REJECTED') {
    return { kind: 'refused', reason: cause.message, local: true }
  }
  const why = cause instanceof Fault && cause.code === 'RATE_LIMITED' ? cause.message : 'the venue could not be reached'
  return { kind: 'refused', reason: `${why}; nothing was sent`, code: 'NETWORK_ERROR' }
}

/** The venue's own refusal, under a status at which it can be one. */
export function readRefusal(words: ErrorCodes, body: unknown, status: number): Refusal | null {
  if (!words.alsoUnder.includes(status) && !isPlainRefusal(status)) return null
  const refusal = words.refusal(body, status)
  if (refusal === null) return null
  const isSilent = (tooMuch.includes(status) && refusal.means !== 'notLookedAt') || isAnybodys(refusal)
  return isSilent ? { means: 'unclear', text: refusal.text } : refusal
}

const reasonPhrases: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).flatMap((phrase) => (phrase === undefined ? [] : [phrase.toLowerCase()])),
)
/** Wrapping around a phrase: "502 Bad Gateway", "HTTP 400: Bad Request." */
const aroundPhrase = /^(error[\s:]+)?(http[\s/\d.]*)?(\d{3})?[\s:–-]*|[\s.!]+$/g
/** Trouble inside the venue, in words that no refusal of an order needs: it may have been accepted regardless. */
const ofTrouble =
  /\b(internal|unexpected|unknown|server) error\b|\bcould not (be )?(proxy|proxied|process|run|execute|complete)|\btry (it )?(again|later)\b|\brestart(s|ed|ing)?\b|\brpc error\b|\bunavailable\b|\boverload|\bmaintenance\b|\bsomething went wrong\b|\bconnection (refused|reset|closed|lost)\b/i
const ofTheWay =
  /\bupstream\b|\bgateway\b|\bproxy (error|server|auth)|\bload balancer\b|\bbackend\b|\b(service|server|temporarily) (is )?(currently )?unavailable\b|\btime[ds]?[ -]?out\b|\bdeadline exceeded\b/i

/**
 * The text is a mere status phrase, or reports trouble at the venue or on the way to it: the order may have been passed on, or accepted,
 * before.
 */
function isAnybodys({ means, text }: Refusal): boolean {
  if (means !== 'order' && means !== 'credential') return false
  return (
    reasonPhrases.has(text.trim().toLowerCase().replace(aroundPhrase, '')) ||
    ofTheWay.test(text) ||
    ofTrouble.test(text)
  )
}

const ofARefusal =
  /\b(invalid|insufficient|not enough|must|should|required|expired|expiration|closed|resolved|paused|(not|no) (open|active|enabled|allowed|supported|tradable|tradeable|approved|found|such|longer|trading|filled)|(not found|already) (or already )?(canceled|cancelled|filled)|minimum|maximum|below|above|exceeds?|too (small|large|low|high|late|old|many)|outside|window|range|would (cross|match|take)|tick|precision|balance|allowance|signature|nonce|payload|no (liquidity|match))\b/i

/** For venues that document what a 400 rejects, but not the wording: text that reads like none of it proves nothing. */
export const readsLikeRefusal = (text: string): boolean => ofARefusal.test(text)

/** Null when it is unclear. */
export function outcomeOf(refusal: Refusal): RelayOutcome | null {
  const { means } = refusal
  if (isAnybodys(refusal)) return null
  const reason = refusal.text.slice(0, textMax)
  if (means === 'order') return { kind: 'rejected', reason }
  if (means === 'notLookedAt') return { kind: 'refused', reason, code: 'NETWORK_ERROR' }
  if (means === 'unclear') return null
  return { kind: 'refused', reason, ...(refusal.code !== undefined && { code: refusal.code }) }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy answered, or the venue broke off.
    return undefined
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isPlainRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !gaveUp.includes(status) && !tooMuch.includes(status)
