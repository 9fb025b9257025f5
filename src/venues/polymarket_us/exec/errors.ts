// Polymarket US's refusals and their meaning: {code, message, details} with gRPC codes, from the gateway and the exchange; and {message} or {error}
// alone, as its official client reads them. Such a body may come from any server, and the venue takes no client order id, so an order mistaken for
// refused would not be found again: only a text that speaks of an order or a key, under the status for it, is a refusal.
import { z } from 'zod'
import type { OrderComparison, RelayOutcome } from '../../lane.ts'
import { errorTable, type VenueError } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { isExpired, limitsRequests, parseJson, readsLikeRefusal } from '../../shared/exec/relay.ts'
import { type Artifact, isCancel, type OrderArtifact } from './artifact.ts'
import { UsCanceled, UsCreated, type UsOrder } from './wire.ts'

const Coded = z.object({ code: z.int().min(0).max(16), message: z.string(), details: z.array(z.unknown()) })
const Plain = z.union([
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
])
const Limited = z.object({ status: z.literal(429), message: z.string() })

const exhausted = '8'
/** Of the key, or of the signature. */
const aboutKey = ['7', '16']
const timestamp = /timestamp/i
const ofKey = /\b(api[ -]?key|access[ -]?key|signature|timestamp|credentials?|authenticat\w+)\b/i
/** An error without a code. */
const none = ''

/** The codes: https://grpc.github.io/grpc/core/md_doc_statuscodes.html. Codes not listed may have taken effect. */
export const usErrors = errorTable({
  /** A cancellation is answered with an empty body. */
  parse: (text) => (text === '' ? null : parseJson(text)),
  alsoUnder: [429],
  read(body, status) {
    const coded = Coded.safeParse(body)
    const error = coded.success ? { code: String(coded.data.code), text: coded.data.message } : plainError(body)
    if (status !== 429) return error
    return error?.code === exhausted || Limited.safeParse(body).success ? { text: limitsRequests } : null
  },
  rows: [
    { status: [429], means: 'notLookedAt', shownAs: limitsRequests },
    // A signature is refused only because of its time when our clock is wrong.
    { code: aboutKey, text: timestamp, means: 'notLookedAt', shownAs: isExpired },
    { code: aboutKey, means: 'credential' },
    { code: ['3', '5', '9', '11', '12'], means: 'order' },
    {
      status: [401],
      code: none,
      text: (text) => ofKey.test(text) && timestamp.test(text),
      means: 'notLookedAt',
      shownAs: isExpired,
    },
    { status: [401], code: none, text: ofKey, means: 'credential' },
    { status: [400], code: none, text: readsLikeRefusal, means: 'order' },
  ],
})

function plainError(body: unknown): VenueError | null {
  const plain = Plain.safeParse(body)
  return plain.success ? { text: plain.data } : null
}

export function accept(artifact: Artifact, body: unknown): RelayOutcome | null {
  if (isCancel(artifact)) return UsCanceled.safeParse(body).success ? filledSize(artifact.orderId) : null
  const created = UsCreated.safeParse(body)
  if (!created.success) return null
  const { id, executions } = created.data
  const executedOrder = executions?.find(({ order }) => order != null)?.order
  const about = executedOrder == null ? {} : aboutOf(executedOrder, artifact)
  const rejection = executions?.find(({ type }) => type === 'EXECUTION_TYPE_REJECTED')
  if (rejection !== undefined) {
    return { kind: 'rejected', reason: rejection.text || rejection.orderRejectReason || 'order rejected', about }
  }
  // A sum that only grows: the last value is the largest.
  const matched = executions?.findLast(({ order }) => order?.cumQuantity != null)?.order?.cumQuantity
  return { ...filledSize(id, matched), about }
}

type Row = { [Member in 'marketSlug' | 'intent' | 'price' | 'quantity']?: UsOrder[Member] | null }

/** The venue takes no client order id: by the order's terms. */
export const aboutOf = (order: Row, { marketSlug, intent, price, quantity }: OrderArtifact): OrderComparison => ({
  market: [order.marketSlug, marketSlug],
  side: [order.intent, intent],
  price: [order.price?.value, price.value],
  size: [order.quantity, quantity],
})
