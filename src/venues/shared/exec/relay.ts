// What an answer to a relayed order proves: one ladder for every lane. A venue brings only its words.
//
//   nothing left us                                   ─► refused   nothing can have been placed
//   silence                                           ─► unknown
//   acceptance  under 2xx                             ─► accepted  (or the rejection that such a body tells of)
//               under anything else                   ─► unknown   the two contradict each other
//   refusal     in the venue's own documented shape,
//               under a status it documents           ─► rejected, refused or unknown, by what the refusal means
//   anything else: somebody else's page, half a body  ─► unknown   whoever answered, the venue may have taken the order before
//
// Only a refusal that the venue itself has written ends an order. What its documents do not tell of proves nothing, nor does what any server
// between us and it may say in the same shape.
import { STATUS_CODES } from 'node:http'
import { Fault } from '#lib/fault'
import type { SendOutcome } from '#net/http'
import type { RelayOutcome } from '../../lane.ts'

/** Of a venue's words, in characters. */
export const textMax = 500

export const limitsRequests = 'the venue limits requests; nothing was placed'
/** Of a signature that the venue finds too old or too new: it cannot tell the two causes apart, and neither can we. */
export const cameOutOfTime =
  'the venue says that the time of signing is too far from its own: the request was slow to arrive, or the clocks disagree; nothing was placed'

type RefusalCode = Exclude<Extract<RelayOutcome, { kind: 'refused' }>['code'], 'NETWORK_ERROR' | undefined>

/** What the venue's own refusal means. */
export type Refusal =
  /** Looked at and turned down. */
  | { means: 'order'; text: string }
  /** The credentials were turned down before the order was looked at. `advice`: what the caller has to change, in our own words. */
  | { means: 'credential'; text: string; code?: RefusalCode; advice?: string }
  /** Nobody looked, and it is not the caller's fault. `text` is in our own words: it is shown as it is. */
  | { means: 'notLookedAt'; text: string }
  /** No evidence that nothing rests: a duplicate of our own order, trouble inside the venue, a word its documents do not tell of. */
  | { means: 'unclear'; text: string }

export interface AnswerWords {
  /** Undefined for what cannot be read. JSON, where a venue asks for nothing else. */
  parse?(text: string): unknown
  /** Null for every body that is not in the venue's own shape. Reads ask it too. */
  refusal(body: unknown, status: number): Refusal | null
  /** Statuses beside the plain 4xx under which the venue's documents tell of refusals. */
  alsoUnder: readonly number[]
}

/** Whoever waited gave up: the order may have gone on. */
const gaveUp: readonly number[] = [408, 499]
/** Here a refusal can say that nobody looked, and no more. */
const tooMuch: readonly number[] = [425, 429]

/** `acceptance` reads a body that tells what became of the order; null when it proves nothing. */
export function relayOutcome(
  words: AnswerWords,
  sent: SendOutcome,
  acceptance: (body: unknown) => RelayOutcome | null,
): RelayOutcome {
  if (sent.kind === 'not_sent') return unsent(sent.cause)
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  const unknown: RelayOutcome = { kind: 'unknown', cause: new Error(`status ${status}: ${text.slice(0, textMax)}`) }
  const body = (words.parse ?? parseJson)(text)
  const heard = acceptance(body)
  if (isSuccess(status) && heard !== null) return heard
  if (heard?.kind === 'accepted') return unknown
  const refusal = readRefusal(words, body, status)
  return refusal === null ? unknown : (outcomeOf(refusal) ?? unknown)
}

function unsent(cause: unknown): RelayOutcome {
  // The credentials could not sign.
  if (cause instanceof Fault && cause.code === 'VENUE_CREDENTIAL_REJECTED') {
    return { kind: 'refused', reason: cause.message, local: true }
  }
  const why = cause instanceof Fault && cause.code === 'RATE_LIMITED' ? cause.message : 'the venue could not be reached'
  return { kind: 'refused', reason: `${why}; nothing was sent`, code: 'NETWORK_ERROR' }
}

/** The venue's own refusal under a status at which it can be one. */
export function readRefusal(words: AnswerWords, body: unknown, status: number): Refusal | null {
  if (!words.alsoUnder.includes(status) && !isPlainRefusal(status)) return null
  const refusal = words.refusal(body, status)
  if (refusal === null) return null
  const isSilent = (tooMuch.includes(status) && refusal.means !== 'notLookedAt') || isAnybodys(refusal)
  return isSilent ? { means: 'unclear', text: refusal.text } : refusal
}

const reasonPhrases: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).flatMap((phrase) => (phrase === undefined ? [] : [phrase.toLowerCase()])),
)
/** What stands around a phrase: "502 Bad Gateway", "HTTP 400: Bad Request." */
const aroundPhrase = /^(error[\s:]+)?(http[\s/\d.]*)?(\d{3})?[\s:–-]*|[\s.!]+$/g
/** Trouble inside the venue, in words that no refusal of an order needs: it may have been taken all the same. */
const ofTrouble =
  /\b(internal|unexpected|unknown|server) error\b|\bcould not (be )?(proxy|proxied|process|run|execute|complete)|\btry (it )?(again|later)\b|\brestart(s|ed|ing)?\b|\brpc error\b|\bunavailable\b|\boverload|\bmaintenance\b|\bsomething went wrong\b|\bconnection (refused|reset|closed|lost)\b/i
const ofTheWay =
  /\bupstream\b|\bgateway\b|\bproxy (error|server|auth)|\bload balancer\b|\bbackend\b|\b(service|server|temporarily) (is )?(currently )?unavailable\b|\btime[ds]?[ -]?out\b|\bdeadline exceeded\b/i

/** Its text is a status in words, or tells of the way to the venue or of trouble there: the order may have been passed on, or taken, before. */
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

/** Where a venue's documents tell what a 400 turns down, and not in which words: what reads like none of it proves nothing. */
export const readsLikeRefusal = (text: string): boolean => ofARefusal.test(text)

/** Null: it is unclear. */
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
