// Kalshi's refusals and their meaning; and its acceptances.
import type { RelayOutcome } from '../../lane.ts'
import { errorTable, type VenueError } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { isExpired, limitsRequests } from '../../shared/exec/relay.ts'
import type { Artifact } from './artifact.ts'
import { KalshiBadRequest, KalshiCanceled, KalshiLimited, KalshiPlaced, KalshiRefusal } from './wire.ts'

/** Its codes are words joined by underscores, in lower or upper case. */
const ofItsCodes = /^[a-z0-9]+(_[a-z0-9]+)+$/i
const ofTrouble = /internal|unavailable|time_?d?_?out|upstream|gateway|(unknown|server)_error/i
const ofLimits = /^(too_many_requests|rate_limit)/i
const aboutKey = ['authentication_error', 'signature_is_missing_from_headers']
/** The code of the venue's two-level error shape. The status is shown with it if there is no other text. */
const bareWord = 'unauthorized'
/**
 * Under these the venue documents any code, known or not, as a rejection; of 408 and 5xx it says that the outcome is unknown.
 * https://docs.kalshi.com/getting_started/order_errors
 */
const rejecting = [400, 403, 404, 409, 410]

export const kalshiErrors = errorTable({
  alsoUnder: [429],
  read(body, status) {
    const error = errorIn(body, status)
    // A limit counts under its own status only.
    return error !== null && ofLimits.test(error.code) && status !== 429 ? null : error
  },
  rows: [
    // Collateral is held per exchange shard: without any on the market's shard the account does not exist there.
    {
      code: ['user_not_found', 'market_not_found'],
      means: 'order',
      shownAs:
        '{text}; your account has nothing on the exchange shard of this market: allocate collateral to that shard first',
    },
    // About the time of a signature: our clock is wrong, not the key.
    { code: 'header_timestamp_expired', means: 'notLookedAt', shownAs: isExpired },
    // The venue takes no orders at all: nothing was placed, and the same order may be sent again.
    {
      code: ['trading_is_paused', 'exchange_is_paused'],
      means: 'notLookedAt',
      shownAs: 'the venue says {code}; nothing was placed',
    },
    { code: ofLimits, means: 'notLookedAt', shownAs: limitsRequests },
    { status: [401], code: bareWord, text: bareWord, means: 'credential', shownAs: '{text} (status 401)' },
    { status: [401], code: bareWord, means: 'credential' },
    { status: [401], code: ofTrouble, means: 'unclear' },
    { status: [401], code: ofItsCodes, means: 'credential' },
    { status: [403], code: aboutKey, means: 'credential' },
    { code: aboutKey, means: 'unclear' },
    // About an order of ours that already exists.
    { code: 'order_already_exists', means: 'unclear' },
    { code: ofTrouble, means: 'unclear' },
    { status: rejecting, code: ofItsCodes, means: 'order' },
  ],
})

function errorIn(body: unknown, status: number): Required<VenueError> | null {
  if (KalshiLimited.safeParse(body).success) return { code: 'too_many_requests', text: '' }
  const wrapped = KalshiRefusal.safeParse(body)
  const parsed = wrapped.success || status !== 400 ? wrapped : KalshiBadRequest.safeParse(body)
  if (!parsed.success) return null
  const { code, message, details } = parsed.data
  const detail = details || message
  return { code, text: detail && detail !== code ? `${code}: ${detail}` : code }
}

/**
 * The bodies of cancel and amend may describe another order although the action succeeded (venue changelog of 2026-05-21): only that they
 * are answers counts.
 */
export function accept(artifact: Artifact, body: unknown): RelayOutcome | null {
  if (artifact.kind === 'cancel') return KalshiCanceled.safeParse(body).success ? filledSize(artifact.order_id) : null
  const placed = KalshiPlaced.safeParse(body)
  if (!placed.success) return null
  if (artifact.kind === 'modify') return filledSize(artifact.order_id)
  const { order_id, client_order_id, fill_count } = placed.data
  const about = { 'client order id': [client_order_id, artifact.client_order_id] } as const
  return { ...filledSize(order_id, fill_count), about }
}
