// How Kalshi words a refusal, and what it means. Acceptances are read where the call is made.
import type { z } from 'zod'
import { type AnswerWords, cameOutOfTime, limitsRequests, type Refusal } from '../../shared/exec/relay.ts'
import { KalshiBadRequest, KalshiLimited, KalshiRefusal } from './wire.ts'

/** Said of the time of a signature: our clock is wrong, not the key. */
const clockIsOff = 'header_timestamp_expired'
/** Of a conflict, the one code that turns the order down. `order_already_exists` is about our own. */
const marketClosed = 'MARKET_INACTIVE'
/** The codes that are known to be the exchange's. Any other proves nothing: refresh looks for the order by its client order id. */
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
