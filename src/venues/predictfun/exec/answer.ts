// Predict.fun's refusals and their meaning: {success: false, error, message}, `error` a stable word. Only words recorded by `ccxt` or named in
// its documentation are known; any other proves nothing.
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { accepted } from '../../shared/exec/accepted.ts'
import type { AnswerWords, Refusal } from '../../shared/exec/relay.ts'
import { PlacedAnswer } from './wire.ts'

const Said = z.object({ success: z.literal(false), error: z.string(), message: z.string().nullish() })

const aboutOrder: ReadonlySet<string> = new Set([
  'bad_request',
  'create_order_hash_mismatch',
  'create_order_insufficient_collateral_allowance',
  'create_order_insufficient_shares_allowance',
  'create_order_min_order_value_not_met',
  'create_order_price_out_of_range',
  'create_order_market_not_trading',
])
const aboutKey = 'unauthorized'
/** Also returned for any path that the venue does not have. */
const noMarket = /\bmarket not found\b/i
/** The key is valid, but the object belongs to another wallet. */
const anothers = /do not belong to/i

export const predictWords: AnswerWords = {
  alsoUnder: [],
  refusal(body) {
    const said = Said.safeParse(body)
    if (!said.success) return null
    const { error, message } = said.data
    return { means: meaningOf(error, message ?? ''), text: message ? `${error}: ${message}` : error }
  },
}

function meaningOf(error: string, message: string): Refusal['means'] {
  if (error === aboutKey) return anothers.test(message) ? 'unclear' : 'credential'
  if (error === 'not_found') return noMarket.test(message) ? 'order' : 'unclear'
  return aboutOrder.has(error) ? 'order' : 'unclear'
}

/** It refuses a hash that is not the order's, so the one it returns is ours. The size filled at once is not reported. */
export function acceptOrder(body: unknown): RelayOutcome | null {
  const placed = PlacedAnswer.safeParse(body)
  return placed.success ? accepted(placed.data.data.orderHash.toLowerCase()) : null
}
