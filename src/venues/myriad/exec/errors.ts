// Myriad's refusals and their meaning: {error}, with or without details. And acceptances: the order's hash.
// https://docs.myriad.markets/builders/myriad-order-book/order-book-api
import type { RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { type ErrorCodes, limitsRequests, readRefusal, readsLikeRefusal } from '../../shared/exec/relay.ts'
import { MyriadCanceled, MyriadError, MyriadPlaced } from './wire.ts'

const noMarket = /\bmarket not found\b/i
const noOrder = /\border not found\b/i
const tooMany = /\brate limit|\btoo many (requests|orders)\b/i

/**
 * 400 means examined and rejected: the payload, the signature, balance and allowance, a closed market. 409 says that an order with our own hash
 * exists; 401 is about its own keys, which are never sent.
 */
export const myriadErrors: ErrorCodes = {
  alsoUnder: [429],
  refusal(body, status) {
    const parsed = MyriadError.safeParse(body)
    if (!parsed.success) return null
    const { error: text } = parsed.data
    if (status === 400 && readsLikeRefusal(text)) return { means: 'order', text }
    if (status === 404 && noMarket.test(text)) return { means: 'order', text }
    if (status === 429 && tooMany.test(text)) return { means: 'notLookedAt', text: limitsRequests }
    return { means: 'unclear', text }
  },
}

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
