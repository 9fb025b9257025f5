// Polymarket US's refusals and their meaning: {code, message, details} with gRPC codes, from the gateway and the exchange; and {message} or {error}
// alone, as its official client reads them. Such a body may come from any server, and the venue takes no client order id, so an order mistaken for
// refused would not be found again: only a text that speaks of an order or a key, under the status for it, is a refusal.
import { z } from 'zod'
import type { OrderComparison, RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import {
  type ErrorCodes,
  isExpired,
  limitsRequests,
  parseJson,
  type Refusal,
  readsLikeRefusal,
} from '../../shared/exec/relay.ts'
import { type Artifact, isCancel, type OrderArtifact } from './artifact.ts'
import { UsCanceled, UsCreated, type UsOrder } from './wire.ts'

const Coded = z.object({ code: z.int().min(0).max(16), message: z.string(), details: z.array(z.unknown()) })
const Plain = z.union([
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
])
const Limited = z.object({ status: z.literal(429), message: z.string() })

/** https://grpc.github.io/grpc/core/md_doc_statuscodes.html. Codes not listed may have taken effect. */
const grpc: Readonly<Record<number, Refusal['means']>> = {
  3: 'order',
  5: 'order',
  7: 'credential',
  9: 'order',
  11: 'order',
  12: 'order',
  16: 'credential',
}
const exhausted = 8

export const usErrors: ErrorCodes = {
  /** A cancellation is answered with an empty body. */
  parse: (text) => (text === '' ? null : parseJson(text)),
  alsoUnder: [429],
  refusal(body, status) {
    const coded = Coded.safeParse(body)
    if (status === 429) {
      const limited = coded.data?.code === exhausted || Limited.safeParse(body).success
      return limited ? { means: 'notLookedAt', text: limitsRequests } : null
    }
    if (coded.success) return refusalOf(grpc[coded.data.code] ?? 'unclear', coded.data.message)
    const plain = Plain.safeParse(body)
    return plain.success ? refusalOf(plainMeaning(plain.data, status), plain.data) : null
  },
}

const ofKey = /\b(api[ -]?key|access[ -]?key|signature|timestamp|credentials?|authenticat\w+)\b/i

function plainMeaning(text: string, status: number): Refusal['means'] {
  if (status === 401 && ofKey.test(text)) return 'credential'
  return status === 400 && readsLikeRefusal(text) ? 'order' : 'unclear'
}

/** A signature is refused only because of its time when our clock is wrong. */
const refusalOf = (means: Refusal['means'], text: string): Refusal =>
  means === 'credential' && /timestamp/i.test(text) ? { means: 'notLookedAt', text: isExpired } : { means, text }

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
