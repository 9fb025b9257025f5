// Opinion's refusals and their meaning: {errno, errmsg}, on some documentation pages {code, msg}, under a 200 or a 4xx. The numbers are those
// that `ccxt` names, and its texts for unknown numbers. Anything else proves nothing: the venue takes no client order id, so an order mistaken
// for refused would not be found again.
import { z } from 'zod'
import type { OrderTerms, RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import type { ErrorCodes, Refusal } from '../../shared/exec/relay.ts'
import { aboutOf } from './matchesOrder.ts'
import { PlacedAnswer } from './wire.ts'

const ErrorBody = z.union([
  z.object({ errno: z.number().int(), errmsg: z.string() }).transform(({ errno, errmsg }) => ({ errno, text: errmsg })),
  z.object({ code: z.number().int(), msg: z.string() }).transform(({ code, msg }) => ({ errno: code, text: msg })),
])

/** No wallet, or not the venue's. */
const aboutKey: ReadonlySet<number> = new Set([11_001, 11_002])
/** Trading not enabled; a region not served; insufficient depth; post-only that would take. */
const aboutOrder: ReadonlySet<number> = new Set([10_014, 10_403, 10_605, 10_610])
const orderTexts =
  /insufficient token balance|below the minimum required value|must be the current multi-signature wallet/i

export const opinionErrors: ErrorCodes = {
  alsoUnder: [200],
  refusal(body) {
    const parsed = ErrorBody.safeParse(body)
    if (!parsed.success || parsed.data.errno === 0) return null
    const { errno, text } = parsed.data
    return { means: meaningOf(errno, text), text: text === '' ? `errno ${errno}` : text }
  },
}

function meaningOf(errno: number, text: string): Refusal['means'] {
  if (aboutKey.has(errno)) return 'credential'
  return aboutOrder.has(errno) || orderTexts.test(text) ? 'order' : 'unclear'
}

/** The filled size is reported as shares, for purchases and sales alike. */
export function acceptOrder(body: unknown, topicId: number, terms: OrderTerms | null): RelayOutcome | null {
  const placed = PlacedAnswer.safeParse(body)
  if (!placed.success) return null
  const { orderData } = placed.data.result
  const acceptance = filledSize(orderData.orderId, orderData.filledShares, terms?.size)
  return { ...acceptance, about: aboutOf(orderData, topicId, terms) }
}
