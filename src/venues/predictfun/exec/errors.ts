// Predict.fun's refusals and their meaning: {success: false, error, message}, `error` a stable word. Each word of a refused order says what is
// wrong with it, except that it repeats one; any word of another kind proves nothing. https://dev.predict.fun/resources/errors
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { limitsRequests } from '../../shared/exec/relay.ts'
import { PlacedAnswer, RemovedAnswer } from './wire.ts'

const ErrorBody = z.object({ success: z.literal(false), error: z.string(), message: z.string().nullish() })

export const predictErrors = errorTable({
  alsoUnder: [429],
  read(body) {
    const { data } = ErrorBody.safeParse(body)
    if (data === undefined) return null
    const { error, message } = data
    return { code: error, text: message ? `${error}: ${message}` : error }
  },
  rows: [
    // The venue takes an order's hash once: a repeat is refused.
    { status: [429], code: 'too_many_requests', means: 'notLookedAt', shownAs: limitsRequests },
    // The key is valid, but the object belongs to another wallet.
    { code: 'unauthorized', text: /do not belong to/i, means: 'unclear' },
    { code: 'unauthorized', means: 'credential' },
    // `not_found` is also returned for any path that the venue does not have.
    { code: 'not_found', text: /\bmarket not found\b/i, means: 'order' },
    // Of our own order, perhaps.
    { code: /duplicate|already|exists/, means: 'unclear' },
    // `forbidden`: a restricted region, or a blocked wallet.
    { code: /^(bad_request|forbidden|create_order_\w+)$/, means: 'order' },
  ],
})

/** It refuses a hash that is not the order's, so the one it returns is ours. The size filled at once is not reported. */
export function acceptOrder(body: unknown): RelayOutcome | null {
  const placed = PlacedAnswer.safeParse(body)
  return placed.success ? filledSize(placed.data.data.orderHash.toLowerCase()) : null
}

/** `noop`: it did not rest, because it was filled, had expired, had been removed before or was never there. */
export function acceptCancel(body: unknown, orderHash: string): RelayOutcome | null {
  const { data: answer } = RemovedAnswer.safeParse(body)
  if (answer === undefined) return null
  const names = (hashes: readonly string[]): boolean =>
    hashes.some((hash) => hash.toLowerCase() === orderHash.toLowerCase())
  if (names(answer.removed)) return filledSize(orderHash)
  return names(answer.noop) ? { kind: 'rejected', reason: 'the order did not rest' } : null
}
