// Pascal's refusals and acceptances: one envelope per command of a request, and we send one. `{status: "error", data: {code, …}}` is the venue's
// answer to that command; a request refused as a whole has a single one. The content of a successful one is undocumented, and so is the list of
// codes. https://docs.pascal.trade
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { readsLikeRefusal } from '../../shared/exec/relay.ts'

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

export const pascalErrors = errorTable({
  alsoUnder: [200],
  read(body) {
    const parsed = Refusal.safeParse(body)
    if (!parsed.success) return null
    const { code, message, details } = parsed.data.data
    const detail = message || details
    return { code, text: detail ? `${code}: ${detail}` : code }
  },
  rows: [
    { code: /^unauthorized_signer$/i, means: 'credential' },
    // Trouble inside the venue, or something that already exists: it may be our own order, or a copy of it.
    {
      code: /internal|unavailable|time_?d?_?out|timeout|overload|busy|shutdown|maintenance|unknown_error|unexpected|rate|throttl|too_many|already|duplicate|exists|in_use|used|replay/i,
      means: 'unclear',
    },
    { text: (text) => readsLikeRefusal(text.replaceAll('_', ' ')), means: 'order' },
  ],
})

/** `clientOrderId`: identifies the order at the venue from then on, whatever other id it has. */
export function accept(clientOrderId: string, body: unknown): RelayOutcome | null {
  const answer = Accepted.safeParse(body)
  if (!answer.success) return null
  const { data: namedOrder } = Named.safeParse(answer.data[0].data)
  return namedOrder === undefined || namedOrder.client_order_id === clientOrderId ? filledSize(clientOrderId) : null
}
