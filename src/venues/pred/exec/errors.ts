// PRED's refusals and their meaning: {success: false, message, error: {code, message, details}}. Its documentation lists the statuses of each call
// and hardly any codes. And acceptances.
import type { RelayOutcome, VenueFill } from '../../lane.ts'
import { type ErrorTable, errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { outcomeOf } from '../../shared/exec/relay.ts'
import { inVenueUnits, type OrderArtifact, sideWords } from './artifact.ts'
import { PredCanceled, PredError, PredPlaced } from './wire.ts'

/** `aboutOrder`: statuses documented as rejections by the call itself. */
const errorsOf = (aboutOrder: readonly number[]): ErrorTable =>
  errorTable({
    alsoUnder: [],
    read(body) {
      const parsed = PredError.safeParse(body)
      if (!parsed.success) return null
      const { message, error } = parsed.data
      const text = [error.code, error.message || message || error.details].filter(Boolean).join(': ')
      return { code: error.code ?? '', text }
    },
    rows: [
      // About the session: the Safe's approval is missing, or newer than the token. Documented as the failure of placing and cancelling in that case.
      {
        code: 'TRADING_NOT_ENABLED',
        means: 'credential',
        advice:
          'this Safe is not enabled for trading as its access token knows it: approve it at pred, then log in again',
      },
      { status: [401], means: 'credential' },
      { status: aboutOrder, text: (text) => text !== '', means: 'order' },
    ],
  })

export const placeErrors = errorsOf([400, 422])
export const cancelErrors = errorsOf([404])
export const readErrors = errorsOf([])

/** "Matched" is the venue's word for a full match; for a partial one it does not say how much. */
export function acceptOrder(body: unknown, { message }: OrderArtifact, nowMs: number): RelayOutcome | null {
  const answer = PredPlaced.safeParse(body)
  if (!answer.success) return null
  const { data } = answer
  if (data.status === 'failed') return outcomeOf({ means: 'order', text: data.message })
  if (data.status !== 'matched') return filledSize(data.order_id)
  const { quantity, price } = inVenueUnits(message)
  const { order_id, status } = data
  const fill: VenueFill = {
    key: `${order_id}:sum`,
    // The order's own limit; the match price is not reported.
    fill: { aggregate: true, order_id, status, side: sideWords[message.intent], quantity, limit_price: price },
    filledAt: nowMs,
  }
  return { kind: 'accepted', venueRef: order_id, status: 'filled', fills: [fill], matchedSize: quantity }
}

export function acceptCancel(body: unknown, orderId: string): RelayOutcome | null {
  const answer = PredCanceled.safeParse(body)
  if (!answer.success) return null
  const { order_id = null, success } = answer.data
  return success !== false && (order_id === null || order_id === orderId) ? filledSize(orderId) : null
}
