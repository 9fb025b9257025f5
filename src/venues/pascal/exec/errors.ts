// Pascal's refusals and acceptances: one envelope per command of a request, and we send one. `{status: "error", data: {code, …}}` is the venue's
// answer to that command; a request refused as a whole has a single one. The content of a successful one is undocumented, and so is the list of
// codes. https://docs.pascal.trade
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { type ErrorCodes, readsLikeRefusal } from '../../shared/exec/relay.ts'

const Refused = z.object({
  status: z.literal('error'),
  data: z.object({
    code: z.string().min(1),
    message: z.string().nullish().catch(null),
    details: z.string().nullish().catch(null),
  }),
})
const Refusal = z.union([z.tuple([Refused]).transform(([only]) => only), Refused])

const Accepted = z.tuple([z.object({ status: z.literal('success'), data: z.unknown().optional() })])
/** For acceptances that name their order. */
const Named = z.object({ client_order_id: z.union([z.string(), z.number()]).transform(String) })

const unknownSigner = /^unauthorized_signer$/i
/** Trouble inside the venue, or something that already exists: it may be our own order, or a copy of it. */
const provesNothing =
  /internal|unavailable|time_?d?_?out|timeout|overload|busy|shutdown|maintenance|unknown_error|unexpected|rate|throttl|too_many|already|duplicate|exists|in_use|used|replay/i

export const pascalErrors: ErrorCodes = {
  alsoUnder: [200],
  refusal(body) {
    const parsed = Refusal.safeParse(body)
    if (!parsed.success) return null
    const { code, message, details } = parsed.data.data
    const detail = message || details
    const text = detail ? `${code}: ${detail}` : code
    if (unknownSigner.test(code)) return { means: 'credential', text }
    const isTurnedDown = !provesNothing.test(code) && readsLikeRefusal(text.replaceAll('_', ' '))
    return { means: isTurnedDown ? 'order' : 'unclear', text }
  },
}

/** `clientOrderId`: identifies the order at the venue from then on, whatever other id it has. */
export function accept(clientOrderId: string, body: unknown): RelayOutcome | null {
  const answer = Accepted.safeParse(body)
  if (!answer.success) return null
  const { data: namedOrder } = Named.safeParse(answer.data[0].data)
  return namedOrder === undefined || namedOrder.client_order_id === clientOrderId ? filledSize(clientOrderId) : null
}
