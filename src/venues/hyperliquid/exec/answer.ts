// What the venue's answer to a signed action proves. Only an answer that names a refusal is one.
import { z } from 'zod'
import type { SendOutcome } from '#net/http'
import type { RelayOutcome } from '../../lane.ts'

const Order = z.object({ oid: z.number().int() })
const Status = z.union([
  z.string(),
  z.object({ resting: Order }),
  z.object({ filled: Order }),
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

/** The signed action was taken before: whatever it did then, this answer is no evidence against it. */
const seenBefore = /nonce|duplicate|already (been )?(used|exists)/i
/** The signer, not the order, was turned down; or nobody looked at all. */
const notLookedAt = /^(User or API Wallet .* does not exist|Too many (cumulative )?requests)/i

const textMax = 500

export function relayOutcome(sent: SendOutcome): RelayOutcome {
  if (sent.kind === 'not_sent')
    return { kind: 'refused', reason: 'the venue could not be reached and nothing was sent', code: 'NETWORK_ERROR' }
  if (sent.kind === 'unknown') return { kind: 'unknown', cause: sent.cause }
  const { status, text } = sent
  if (status === 429)
    return { kind: 'refused', reason: 'the venue limits requests; nothing was placed', code: 'NETWORK_ERROR' }
  if (status === 401 || status === 403) return { kind: 'refused', reason: text.slice(0, textMax) || `status ${status}` }
  if (status >= 400 && status < 500 && status !== 408) {
    return { kind: 'rejected', reason: text.slice(0, textMax) || `status ${status}` }
  }
  const answer = status === 200 ? readAnswer(text) : null
  if (answer === null) return { kind: 'unknown', cause: new Error(`status ${status}: ${text.slice(0, textMax)}`) }
  return answer.status === 'err' ? refusal(answer.response) : judge(answer.response.data?.statuses[0])
}

function judge(status: z.infer<typeof Status> | undefined): RelayOutcome {
  if (status === undefined) return { kind: 'unknown', cause: new Error('the answer names no status') }
  if (typeof status === 'string') return accepted(null)
  if ('error' in status) return refusal(status.error)
  return accepted('resting' in status ? status.resting.oid : status.filled.oid)
}

/**
 * Also where it filled at once: that answer carries a sum and no fill ids. Refresh brings the fills with the transition to `filled`,
 * and so each fill is counted once.
 */
const accepted = (oid: number | null): RelayOutcome => ({
  kind: 'accepted',
  venueRef: oid === null ? null : String(oid),
  status: 'acked',
  fills: [],
})

function refusal(reason: string): RelayOutcome {
  if (seenBefore.test(reason)) return { kind: 'unknown', cause: new Error(reason.slice(0, textMax)) }
  const kind = notLookedAt.test(reason) ? 'refused' : 'rejected'
  return { kind, reason: reason.slice(0, textMax) }
}

function readAnswer(text: string): z.infer<typeof Answer> | null {
  try {
    const parsed = Answer.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    // No JSON: a proxy answered, or the venue broke off. Nothing is proved either way.
    return null
  }
}
