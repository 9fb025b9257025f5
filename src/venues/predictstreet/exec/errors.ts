// PredictStreet's refusals and their meaning: {code, message}. An order that was examined and rejected is answered like an accepted one, with
// the status REJECTED. https://docs.adipredictstreet.com/errors/overview
import type { LaneExecution, RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { limitsRequests, outcomeOf, readsLikeRefusal } from '../../shared/exec/relay.ts'
import { StreetCanceled, StreetError, StreetPlaced } from './wire.ts'

/** https://docs.adipredictstreet.com/errors/codes, which could not be read to its end. */
const aboutKey = (
  'auth_required api_key_bad_format api_key_unknown_key api_key_bad_secret api_key_revoked api_key_expired api_key_suspended ' +
  'api_key_ip_denied api_key_no_associated_wallet api_key_user_wallet_required api_key_user_wallet_invalid api_key_scope_missing wallet_banned'
).split(' ')
const aboutOrder = (
  'invalid_amounts invalid_tif bad_signature order_signed_with_floor_notional fee_too_high expired invalid_outcome ' +
  'validation_failed'
).split(' ')

/** Requests are limited before they are looked at. https://docs.adipredictstreet.com/auth/rate-limits */
const ofLimits = /rate|limit|too_many/

const refusalText = (code: string, message: string | null | undefined): string =>
  message ? `${code}: ${message}` : code

export const streetErrors = errorTable({
  alsoUnder: [429],
  read(body, status) {
    const { data } = StreetError.safeParse(body)
    if (data === undefined || (status === 429 && !ofLimits.test(data.code))) return null
    return { code: data.code, text: refusalText(data.code, data.message) }
  },
  rows: [
    { status: [429], means: 'notLookedAt', shownAs: limitsRequests },
    { status: [401, 403], code: aboutKey, means: 'credential' },
    { status: [400], code: aboutOrder, means: 'order' },
    { status: [400], code: (code) => readsLikeRefusal(code.replaceAll('_', ' ')), means: 'order' },
  ],
})

const isOut = (status: string): boolean => /^cancell?ed$/i.test(status)
const resting = new Set(['PENDING', 'OPEN', 'PARTIAL', 'FILLED'])

export function acceptOrder(body: unknown, { terms }: LaneExecution): RelayOutcome | null {
  const answer = StreetPlaced.safeParse(body)
  if (!answer.success) return null
  const { orderId, status, filledQty, code, message } = answer.data
  if (status === 'REJECTED') return code ? outcomeOf({ means: 'order', text: refusalText(code, message) }) : null
  if (orderId === '') return null
  if (resting.has(status)) return filledSize(orderId, filledQty, terms?.size)
  const acceptance = filledSize(orderId, filledQty, terms?.size)
  return isOut(status) && acceptance.kind === 'accepted' && acceptance.matchedSize === undefined
    ? { ...acceptance, status: 'canceled' }
    : null
}

/** An ended or unknown order is answered `not_found` under a 200. */
export function acceptCancel(body: unknown, orderId: string): RelayOutcome | null {
  const answer = StreetCanceled.safeParse(body)
  if (!answer.success || answer.data.orderId !== orderId) return null
  if (isOut(answer.data.status)) return filledSize(orderId)
  if (answer.data.status !== 'not_found') return null
  return { kind: 'rejected', reason: 'not_found: the order has already ended, or does not exist' }
}
