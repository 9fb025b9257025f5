// Predict.fun's refusals and their meaning: {success: false, error, message}, `error` a stable word. Each word of a refused order says what is
// wrong with it, except that it repeats one; any word of another kind proves nothing. https://dev.predict.fun/resources/errors
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { type ErrorCodes, limitsRequests, type Refusal } from '../../shared/exec/relay.ts'
import { PlacedAnswer } from './wire.ts'

const ErrorBody = z.object({ success: z.literal(false), error: z.string(), message: z.string().nullish() })

/** `forbidden`: a restricted region, or a blocked wallet. */
const aboutOrder = /^(bad_request|forbidden|create_order_\w+)$/
/** Of our own order, perhaps. */
const repeats = /duplicate|already|exists/
const tooMany = 'too_many_requests'
const aboutKey = 'unauthorized'
/** Also returned for any path that the venue does not have. */
const noMarket = /\bmarket not found\b/i
/** The key is valid, but the object belongs to another wallet. */
const anothers = /do not belong to/i

export const predictErrors: ErrorCodes = {
  alsoUnder: [429],
  refusal(body, status) {
    const parsed = ErrorBody.safeParse(body)
    if (!parsed.success) return null
    const { error, message } = parsed.data
    // The venue takes an order's hash once: a repeat is refused.
    if (status === 429 && error === tooMany) return { means: 'notLookedAt', text: limitsRequests }
    return { means: meaningOf(error, message ?? ''), text: message ? `${error}: ${message}` : error }
  },
}

function meaningOf(error: string, message: string): Refusal['means'] {
  if (error === aboutKey) return anothers.test(message) ? 'unclear' : 'credential'
  if (error === 'not_found') return noMarket.test(message) ? 'order' : 'unclear'
  return aboutOrder.test(error) && !repeats.test(error) ? 'order' : 'unclear'
}

/** It refuses a hash that is not the order's, so the one it returns is ours. The size filled at once is not reported. */
export function acceptOrder(body: unknown): RelayOutcome | null {
  const placed = PlacedAnswer.safeParse(body)
  return placed.success ? filledSize(placed.data.data.orderHash.toLowerCase()) : null
}
