// How Opinion words a refusal, and what it means: {errno, errmsg}, as {code, msg} on some pages of its documents, under a 200 as under a 4xx. The
// numbers are those that `ccxt` names, and its texts where no number is known. Any other proves nothing: the venue knows no name of ours for an
// order, so one taken for refused would not be found again.
import { z } from 'zod'
import type { OrderTerms, RelayOutcome } from '../../lane.ts'
import { accepted } from '../../shared/exec/accepted.ts'
import type { AnswerWords, Refusal } from '../../shared/exec/relay.ts'
import { aboutOf } from './about.ts'
import { PlacedAnswer } from './wire.ts'

const Said = z.union([
  z.object({ errno: z.number().int(), errmsg: z.string() }).transform(({ errno, errmsg }) => ({ errno, text: errmsg })),
  z.object({ code: z.number().int(), msg: z.string() }).transform(({ code, msg }) => ({ errno: code, text: msg })),
])

/** Without a wallet, or not the venue's. */
const aboutKey: ReadonlySet<number> = new Set([11_001, 11_002])
/** Trading not enabled; a region that is not served; a book that is not deep enough; post-only of what takes. */
const aboutOrder: ReadonlySet<number> = new Set([10_014, 10_403, 10_605, 10_610])
const orderTexts =
  /insufficient token balance|below the minimum required value|must be the current multi-signature wallet/i

export const opinionWords: AnswerWords = {
  alsoUnder: [200],
  refusal(body) {
    const said = Said.safeParse(body)
    if (!said.success || said.data.errno === 0) return null
    const { errno, text } = said.data
    return { means: meaningOf(errno, text), text: text === '' ? `errno ${errno}` : text }
  },
}

function meaningOf(errno: number, text: string): Refusal['means'] {
  if (aboutKey.has(errno)) return 'credential'
  return aboutOrder.has(errno) || orderTexts.test(text) ? 'order' : 'unclear'
}

/** What is filled already comes as shares, of a purchase as of a sale. */
export function acceptOrder(body: unknown, topicId: number, terms: OrderTerms | null): RelayOutcome | null {
  const placed = PlacedAnswer.safeParse(body)
  if (!placed.success) return null
  const { orderData } = placed.data.result
  const heard = accepted(orderData.orderId, orderData.filledShares, terms?.size)
  return { ...heard, about: aboutOf(orderData, topicId, terms) }
}
