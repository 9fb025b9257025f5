// How Hyperliquid words a refusal, and what it means. It answers with 200 whatever became of the action; other statuses are not its own.
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { accepted, MatchedSize } from '../../shared/exec/accepted.ts'
import { type AnswerWords, limitsRequests } from '../../shared/exec/relay.ts'

const Order = z.object({ oid: z.number().int() })
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
 * A nonce, or a client order id, that is there already. A copy of this very action may have used it, so it is no evidence against the order;
 * refresh finds the order by its client order id. Every other fault of a nonce (below the highest hundred, out of range) means that this
 * action was not taken: we sent one copy, once (docs/decisions/0015).
 */
const seenBefore = /duplicate|already (been )?(used|exists)/i
const unknownSigner = /^User or API Wallet .* does not exist/i
const tooMany = /^Too many (cumulative )?requests/i

export const hyperliquidWords: AnswerWords = {
  alsoUnder: [200],
  refusal(body, status) {
    const text = status === 200 ? errorIn(body) : null
    if (text === null) return null
    if (seenBefore.test(text)) return { means: 'unclear', text }
    if (tooMany.test(text)) return { means: 'notLookedAt', text: limitsRequests }
    return { means: unknownSigner.test(text) ? 'credential' : 'order', text }
  },
}

function errorIn(body: unknown): string | null {
  const answer = Answer.safeParse(body)
  if (!answer.success) return null
  if (answer.data.status === 'err') return answer.data.response
  const status = answer.data.response.data?.statuses[0]
  return typeof status === 'object' && 'error' in status ? status.error : null
}

/** Of a cancellation, and of orders that rest without an id yet. */
const doneWords = /^(success|waitingForFill|waitingForTrigger)$/

/** `known`: the order's id where the action names it, and the answer does not. */
export function acceptance(body: unknown, known: string | null): RelayOutcome | null {
  const answer = Answer.safeParse(body)
  const status = answer.success && answer.data.status === 'ok' ? answer.data.response.data?.statuses[0] : undefined
  if (status === undefined) return null
  if (typeof status === 'string') return doneWords.test(status) ? accepted(known) : null
  if ('error' in status) return null
  if ('resting' in status) return accepted(String(status.resting.oid))
  return accepted(String(status.filled.oid), status.filled.totalSz)
}
