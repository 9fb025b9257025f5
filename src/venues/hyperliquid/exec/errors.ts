// Hyperliquid's refusals and their meaning. It answers with 200 whatever the result; of other statuses only a 429 means something: send the same
// bytes again.
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize, MatchedSize } from '../../shared/exec/filledSize.ts'
import { limitsRequests } from '../../shared/exec/relay.ts'

const Order = z.object({
  oid: z.number().int(),
  /** Our client order id, if returned. */
  cloid: z.string().nullish().catch(null),
})
const Status = z.union([
  z.string(),
  z.object({ resting: Order }),
  z.object({ filled: Order.extend({ totalSz: MatchedSize }) }),
  z.object({ error: z.string() }),
])
const Answer = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ok'),
    response: z.object({
      type: z.string(),
      data: z.object({ statuses: z.array(Status) }).optional(),
    }),
  }),
  z.object({ status: z.literal('err'), response: z.string() }),
])

/**
 * The documented texts that reject an order, a modification or a cancellation, and those recorded for outcome markets. Any other text proves
 * nothing. A nonce below the highest hundred or out of range means that this action was not accepted: we sent one copy, once
 * (docs/decisions/0015). A nonce already used may have been used by a copy of this very action, and so may a client order id: refresh finds
 * the order by it. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/error-responses
 */
const aboutOrder = new RegExp(
  `^(\\(spot-only\\) )?(${[
    'price must be divisible by tick size',
    'order must have minimum value',
    'insufficient (margin|spot balance)',
    'order has (insufficient spot balance|zero size|invalid (size|price))',
    'reduce only order would increase position',
    'reduce only and trigger orders are not supported',
    'post only order would have immediately matched',
    'order could not immediately match',
    'invalid TP/SL price',
    'no liquidity available for market order',
    'order would increase open interest',
    'order rejected due to price',
    'order price (too far from oracle|cannot be more than)',
    'too many open orders',
    'user has too many open orders',
    'order would cause position to exceed',
    'trading is halted',
    'order was never placed, already canceled, or filled',
    'cannot modify canceled or filled order',
    'invalid nonce: .*(below|out of range|too low)',
  ].join('|')})`,
  'i',
)
/** A signature that is not the account's recovers to a wallet that is not registered, or that has deposited nothing. */
const unknownSigner = /^(User or API Wallet .* does not exist|Must deposit before performing actions)/i
/** Prefix of refusals by the chain rather than by the API in front of it; the text is otherwise the same. */
const fromChain = /^L1 error: */i

export const hyperliquidErrors = errorTable({
  alsoUnder: [200],
  // By the nonce, and an order by its client order id too.
  takesSameBytesOnce: true,
  read(body, status) {
    const text = status === 200 ? errorIn(body) : null
    return text === null ? null : { text: text.replace(fromChain, '') }
  },
  rows: [
    { text: /^Too many (cumulative )?requests/i, means: 'notLookedAt', shownAs: limitsRequests },
    { text: unknownSigner, means: 'credential' },
    { text: aboutOrder, means: 'order' },
  ],
})

function errorIn(body: unknown): string | null {
  const answer = Answer.safeParse(body)
  if (!answer.success) return null
  if (answer.data.status === 'err') return answer.data.response
  const status = answer.data.response.data?.statuses[0]
  return typeof status === 'object' && 'error' in status ? status.error : null
}

/**
 * `known`: the order's id when the action names it and the answer does not. For an order, `waitingForFill` and `waitingForTrigger` return no
 * id: refresh finds it by its client order id, `cloid`.
 */
export function accept(body: unknown, known: string | null, cloid: string | undefined): RelayOutcome | null {
  const answer = Answer.safeParse(body)
  const status = answer.success && answer.data.status === 'ok' ? answer.data.response.data?.statuses[0] : undefined
  if (status === undefined) return null
  if (typeof status === 'string') return status === 'success' ? filledSize(known) : null
  if ('error' in status) return null
  const order = 'resting' in status ? status.resting : status.filled
  const matched = 'filled' in status ? status.filled.totalSz : null
  return { ...filledSize(String(order.oid), matched), about: { 'client order id': [order.cloid, cloid] } }
}
