// Kalshi's refusals and their meaning; and its acceptances.
import type { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { accepted } from '../../shared/exec/accepted.ts'
import { type AnswerWords, cameOutOfTime, limitsRequests, type Refusal } from '../../shared/exec/relay.ts'
import type { Artifact } from './artifact.ts'
import { KalshiBadRequest, KalshiCanceled, KalshiLimited, KalshiPlaced, KalshiRefusal } from './wire.ts'

/** About the time of a signature: our clock is wrong, not the key. */
const clockIsOff = 'header_timestamp_expired'
/** About an order of ours that is there. */
const ourOwn = 'order_already_exists'
/** No order is taken, whoever sends it: nothing was placed, and the same order may be sent again. */
const paused: ReadonlySet<string> = new Set(['trading_is_paused', 'exchange_is_paused'])
const aboutKey: ReadonlySet<string> = new Set(['authentication_error', 'signature_is_missing_from_headers'])
/**
 * Under these the venue documents any code, known or not, as a rejection; of 408 and 5xx it says that the outcome is unknown.
 * https://docs.kalshi.com/getting_started/order_errors
 */
const rejecting: readonly number[] = [400, 403, 404, 409, 410]

export const kalshiWords: AnswerWords = {
  alsoUnder: [429],
  refusal(body, status) {
    const [whole, bare] = [KalshiRefusal.safeParse(body), KalshiBadRequest.safeParse(body)]
    const said = whole.data ?? (status === 400 || status === 429 ? bare.data : undefined)
    const isLimited = status === 429 && (said !== undefined || KalshiLimited.safeParse(body).success)
    if (isLimited) return { means: 'notLookedAt', text: limitsRequests }
    return said === undefined ? null : refusalOf(said, status)
  },
}

function refusalOf(said: z.infer<typeof KalshiRefusal>, status: number): Refusal {
  const { code, message } = said
  const detail = said.details || message
  const text = detail && detail !== code ? `${code}: ${detail}` : code
  if (code === clockIsOff) return { means: 'notLookedAt', text: cameOutOfTime }
  if (paused.has(code)) return { means: 'notLookedAt', text: `the venue says ${code}; nothing was placed` }
  // In the venue's own two-level shape, so that even a bare "unauthorized" is its word.
  if (status === 401)
    return { means: 'credential', text: /^unauthorized$/i.test(text) ? 'unauthorized (status 401)' : text }
  if (code === ourOwn) return { means: 'unclear', text }
  if (aboutKey.has(code)) return { means: 'credential', text }
  return { means: rejecting.includes(status) ? 'order' : 'unclear', text }
}

/**
 * The bodies of cancel and amend may describe another order although the action succeeded (venue changelog of 2026-05-21): only that they
 * are answers counts.
 */
export function accept(artifact: Artifact, body: unknown): RelayOutcome | null {
  if (artifact.kind === 'cancel') return KalshiCanceled.safeParse(body).success ? accepted(artifact.order_id) : null
  const placed = KalshiPlaced.safeParse(body)
  if (!placed.success) return null
  if (artifact.kind === 'modify') return accepted(artifact.order_id)
  const { order_id, client_order_id, fill_count } = placed.data
  const about = { 'client order id': [client_order_id, artifact.client_order_id] } as const
  return { ...accepted(order_id, fill_count), about }
}
