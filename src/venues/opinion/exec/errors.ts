// Opinion's refusals and their meaning: {errno, errmsg}, on some documentation pages {code, msg}, under a 200 or a 4xx. The numbers are those
// that `ccxt` names, and its texts for unknown numbers. Anything else proves nothing: the venue takes no client order id, so an order mistaken
// for refused would not be found again.
import { z } from 'zod'
import type { OrderTerms, RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { aboutOf } from './matchesOrder.ts'
import { CanceledAnswer, PlacedAnswer } from './wire.ts'

const ErrorBody = z.union([
  z.object({ errno: z.number().int(), errmsg: z.string() }).transform(({ errno, errmsg }) => ({ errno, text: errmsg })),
  z.object({ code: z.number().int(), msg: z.string() }).transform(({ code, msg }) => ({ errno: code, text: msg })),
])

export const opinionErrors = errorTable({
  alsoUnder: [200],
  read(body) {
    const { data: error } = ErrorBody.safeParse(body)
    if (error === undefined || error.errno === 0) return null
    return { code: String(error.errno), text: error.text === '' ? `errno ${error.errno}` : error.text }
  },
  rows: [
    // No wallet, or not the venue's.
    { code: ['11001', '11002'], means: 'credential' },
    // Trading not enabled; a region not served; insufficient depth; post-only that would take.
    { code: ['10014', '10403', '10605', '10610'], means: 'order' },
    {
      text: /insufficient token balance|below the minimum required value|must be the current multi-signature wallet/i,
      means: 'order',
    },
  ],
})

/** The filled size is reported as shares, for purchases and sales alike. */
export function acceptOrder(body: unknown, topicId: number, terms: OrderTerms | null): RelayOutcome | null {
  const placed = PlacedAnswer.safeParse(body)
  if (!placed.success) return null
  const { orderData } = placed.data.result
  const acceptance = filledSize(orderData.orderId, orderData.filledShares, terms?.size)
  return { ...acceptance, about: aboutOf(orderData, topicId, terms) }
}

/** Anything but true proves nothing: the order may have ended before, or rest. */
export const acceptCancel = (body: unknown, orderId: string): RelayOutcome | null =>
  CanceledAnswer.safeParse(body).success ? filledSize(orderId) : null
