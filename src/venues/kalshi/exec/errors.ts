// Kalshi's refusals and their meaning; and its acceptances.
import type { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { type ErrorCodes, isExpired, limitsRequests, type Refusal } from '../../shared/exec/relay.ts'
import type { Artifact } from './artifact.ts'
import { KalshiBadRequest, KalshiCanceled, KalshiLimited, KalshiPlaced, KalshiRefusal } from './wire.ts'

/** About the time of a signature: our clock is wrong, not the key. */
const clockIsOff = 'header_timestamp_expired'
/** Collateral is held per exchange shard: without any on the market's shard the account does not exist there. */
const noAccountOnShard: ReadonlySet<string> = new Set(['user_not_found', 'market_not_found'])
/** About an order of ours that already exists. */
const ourOwn = 'order_already_exists'
/** The venue takes no orders at all: nothing was placed, and the same order may be sent again. */
const paused: ReadonlySet<string> = new Set(['trading_is_paused', 'exchange_is_paused'])
/**
 * Under these the venue documents any code, known or not, as a rejection; of 408 and 5xx it says that the outcome is unknown.
 * https://docs.kalshi.com/getting_started/order_errors
 */
const rejecting: readonly number[] = [400, 403, 404, 409, 410]
/** Its codes are words joined by underscores, in lower or upper case. */
const ofItsCodes = /^[a-z0-9]+(_[a-z0-9]+)+$/i
const ofTrouble = /internal|unavailable|time_?d?_?out|upstream|gateway|(unknown|server)_error/i
const ofLimits = /^(too_many_requests|rate_limit)/i

export const kalshiErrors: ErrorCodes = {
  alsoUnder: [429],
  refusal(body, status) {
    if (KalshiLimited.safeParse(body).success) return limited(status)
    const whole = KalshiRefusal.safeParse(body)
    if (whole.success) return refusalOf(whole.data, status)
    const bare = status === 400 ? KalshiBadRequest.safeParse(body) : null
    return bare?.success ? refusalOf(bare.data, status) : null
  },
}

const limited = (status: number): Refusal | null =>
  status === 429 ? { means: 'notLookedAt', text: limitsRequests } : null

function refusalOf(errorBody: z.infer<typeof KalshiRefusal>, status: number): Refusal | null {
  const { code, message } = errorBody
  const detail = errorBody.details || message
  const text = detail && detail !== code ? `${code}: ${detail}` : code
  if (noAccountOnShard.has(code)) {
    return {
      means: 'order',
      text: `${text}; your account has nothing on the exchange shard of this market: allocate collateral to that shard first`,
    }
  }
  if (code === clockIsOff) return { means: 'notLookedAt', text: isExpired }
  if (paused.has(code)) return { means: 'notLookedAt', text: `the venue says ${code}; nothing was placed` }
  if (ofLimits.test(code)) return limited(status)
  if (status === 401) return { means: isKeyWord(code) ? 'credential' : 'unclear', text: keyText(text) }
  const isRejection = ofItsCodes.test(code) && !ofTrouble.test(code) && code !== ourOwn && !aboutKey.has(code)
  if (isRejection && rejecting.includes(status)) return { means: 'order', text }
  return { means: aboutKey.has(code) && status === 403 ? 'credential' : 'unclear', text }
}

const aboutKey: ReadonlySet<string> = new Set(['authentication_error', 'signature_is_missing_from_headers'])
const bareWord = 'unauthorized'
const isKeyWord = (code: string): boolean => code === bareWord || (ofItsCodes.test(code) && !ofTrouble.test(code))
/** `unauthorized` alone is the code of the venue's two-level error shape; the status is shown with it. */
const keyText = (text: string): string => (text === bareWord ? `${bareWord} (status 401)` : text)

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
