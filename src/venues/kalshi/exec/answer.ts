// Kalshi's refusals and their meaning; and its acceptances.
import type { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { accepted } from '../../shared/exec/accepted.ts'
import { type AnswerWords, cameOutOfTime, limitsRequests, type Refusal } from '../../shared/exec/relay.ts'
import type { Artifact } from './artifact.ts'
import { KalshiBadRequest, KalshiCanceled, KalshiLimited, KalshiPlaced, KalshiRefusal } from './wire.ts'

/** About the time of a signature: our clock is wrong, not the key. */
const clockIsOff = 'header_timestamp_expired'
/** Among conflicts, the only code that rejects the order. `order_already_exists` is about our own. */
const marketClosed = 'MARKET_INACTIVE'
/** The codes known to be the exchange's. Any other proves nothing: refresh looks for the order by its client order id. */
const aboutOrder: ReadonlySet<string> = new Set([
  marketClosed,
  'insufficient_balance',
  'invalid_price',
  'invalid_order',
  'bad_request',
  'not_found',
  'fill_or_kill_insufficient_resting_volume',
  'deprecated_v1_order_endpoint',
])
const aboutKey: ReadonlySet<string> = new Set(['authentication_error', 'signature_is_missing_from_headers'])

export const kalshiWords: AnswerWords = {
  alsoUnder: [429],
  refusal(body, status) {
    if (status === 429) {
      return KalshiLimited.safeParse(body).success ? { means: 'notLookedAt', text: limitsRequests } : null
    }
    const whole = KalshiRefusal.safeParse(body)
    if (whole.success) return refusalOf(whole.data, status)
    const bad = status === 400 ? KalshiBadRequest.safeParse(body) : null
    return bad?.success ? refusalOf(bad.data, status) : null
  },
}

function refusalOf(said: z.infer<typeof KalshiRefusal>, status: number): Refusal {
  const { code, message } = said
  const detail = said.details || message
  const text = detail && detail !== code ? `${code}: ${detail}` : code
  if (code === clockIsOff) return { means: 'notLookedAt', text: cameOutOfTime }
  if (status === 401 || status === 403) return { means: aboutKey.has(code) ? 'credential' : 'unclear', text }
  const isTurnedDown = aboutOrder.has(code) && (status !== 409 || code === marketClosed)
  return { means: isTurnedDown ? 'order' : 'unclear', text }
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
