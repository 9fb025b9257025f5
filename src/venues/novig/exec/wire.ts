// What the account's own API sends. https://docs.novig.com (place order, authentication, user history); members of an order and a fill follow its
// clients and the venue's pages on fees.
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'

export const paths = {
  token: '/nbx/v1/auth/emm-token',
  place: '/nbx/v2/emm/orders/place',
  orders: '/nbx/v2/emm/orders/all',
  fills: '/nbx/v2/emm/fills/all',
  ticks: '/nbx/v2/emm/ticks',
} as const

/** Cents of payout: a contract of 1 CASH is a hundred. */
const Cents = z
  .union([z.number(), z.string()])
  .transform(Number)
  .pipe(z.int().nonnegative().max(Number.MAX_SAFE_INTEGER))
/** Unreadable: unknown, and the fills decide. */
const OptionalCents = Cents.nullish()
  .catch(null)
  .transform((cents) => cents ?? null)
const Id = z.string().min(1).max(100)

export const NovigToken = z.object({ access_token: z.string().min(1).max(8_000) })

/** Queued: whether it rests or was filled is not reported. */
export const NovigPlaced = z.object({ id: Id, outcomeId: z.string().optional(), flags: z.string().nullish() })

/** Of other orders only the ids are read, so that their other content cannot hide ours. */
export const NamedOrder = z.object({ id: Id, flags: z.string().nullish().catch(null) })
export const NovigOrder = z.object({
  id: Id,
  outcomeId: z.string(),
  /** The unfilled part of `originalQty`. */
  qty: OptionalCents,
  originalQty: OptionalCents,
  status: z.string().catch(''),
  flags: z.string().nullish().catch(null),
  /** ISO text or epoch ms; its meaning is undocumented. */
  timestamp: z.union([z.string(), z.number()]).nullish().catch(null),
})
export type NovigOrder = z.infer<typeof NovigOrder>

/** Kept whole: fills are returned venue-shaped. */
export const NovigFill = z
  .object({
    id: Id,
    orderId: Id,
    qty: Cents,
    createdAt: z.union([z.string(), z.number()]).nullish().catch(null),
    isWash: z.boolean().nullish().catch(null),
  })
  .catchall(z.json())
export type NovigFill = z.infer<typeof NovigFill>
/** Of a fill whose other fields may be unreadable. */
export const FillOwner = z.object({ orderId: Id })

/** Clients disagree on whether a history is a bare list. */
export const Rows = z
  .union([
    z.array(z.unknown()),
    z.object({ orders: z.array(z.unknown()) }),
    z.object({ fills: z.array(z.unknown()) }),
    z.object({ data: z.array(z.unknown()) }),
  ])
  .transform((answer) => {
    if (Array.isArray(answer)) return answer
    return 'orders' in answer ? answer.orders : 'fills' in answer ? answer.fills : answer.data
  })

const states: Readonly<Record<string, ExecutionStatus>> = {
  RESTING: 'acked',
  FILLED: 'filled',
  CANCELLED: 'canceled',
  CANCELED: 'canceled',
}
export const knownOrderStates: readonly string[] = Object.keys(states)
export const statusOf = optionalStateReader(states)

/** NaN for an invalid time. */
export const timeOf = (value: string | number | null | undefined): number =>
  typeof value === 'number' ? value : Date.parse(value ?? '')
