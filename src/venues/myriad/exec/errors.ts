// Myriad's refusals and their meaning: {error}, with or without details. And acceptances: the order's hash.
// https://docs.myriad.markets/builders/myriad-order-book/order-book-api
import type { RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { limitsRequests, readRefusal, readsLikeRefusal } from '../../shared/exec/relay.ts'
import { MyriadCanceled, MyriadError, MyriadPlaced } from './wire.ts'

const noOrder = /\border not found\b/i

/**
 * 400 means examined and rejected: the payload, the signature, balance and allowance, a closed market. 409 says that an order with our own hash
 * exists; 401 is about its own keys, which are never sent.
 */
export const myriadErrors = errorTable({
  alsoUnder: [429],
  read(body) {
    const { data } = MyriadError.safeParse(body)
    return data === undefined ? null : { text: data.error }
  },
  rows: [
    { status: [400], text: readsLikeRefusal, means: 'order' },
    { status: [404], text: /\bmarket not found\b/i, means: 'order' },
    {
      status: [429],
      text: /\brate limit|\btoo many (requests|orders)\b/i,
      means: 'notLookedAt',
      shownAs: limitsRequests,
    },
  ],
})

/** The venue itself says that it has no such order. */
export const isNotFound = (status: number, body: unknown): boolean =>
  status === 404 && noOrder.test(readRefusal(myriadErrors, body, status)?.text ?? '')

/** What was matched is not reported here. */
export function acceptOrder(body: unknown): RelayOutcome | null {
  const answer = MyriadPlaced.safeParse(body)
  return answer.success ? filledSize(answer.data.orderHash) : null
}

export function acceptCancel(body: unknown, orderHash: string): RelayOutcome | null {
  const answer = MyriadCanceled.safeParse(body)
  if (!answer.success || answer.data.orderHash.toLowerCase() !== orderHash.toLowerCase()) return null
  return filledSize(orderHash)
}
