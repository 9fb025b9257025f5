// Compares the orders that rest at a venue with our executions. Pure.
import type { ExecutionStatus } from '#schemas/executions'
import type { HeldOrder, OpenOrders } from '#venues/holdings'
import { type DifferenceClass, settlingMs } from './compare.ts'

export interface OurOrder {
  executionId: string
  status: ExecutionStatus
  /** Null: the venue never confirmed it. */
  venueRef: string | null
  marketId: string | null
  outcomeId: string | null
  /** Epoch ms. */
  updatedAt: number
}

export type OrderReason =
  | 'same'
  | 'rests_after_end'
  | 'not_in_journal'
  | 'outcome_unknown'
  | 'not_at_venue'
  | 'list_incomplete'
  | 'recent'

export interface ComparedOrder extends Omit<HeldOrder, 'venueRef'> {
  /** The venue's. */
  orderId: string
  executionId: string | null
  /** Of our execution. */
  status: ExecutionStatus | null
  class: DifferenceClass
  reason: OrderReason
}

/** Those that the venue shows, in its order; then ours that it does not. */
export function compareOrders(
  ours: readonly OurOrder[],
  { orders, isComplete }: OpenOrders,
  asOf: number,
): ComparedOrder[] {
  const byRef = new Map(
    ours.flatMap((order) => (order.venueRef === null ? [] : [[nameOf(order.venueRef), order] as const])),
  )
  const shown = new Set(orders.map(({ venueRef }) => nameOf(venueRef)))
  const missing = ours.filter(
    ({ status, venueRef }) => status === 'acked' && venueRef !== null && !shown.has(nameOf(venueRef)),
  )
  return [
    ...orders.map((order) => compareShown(order, byRef.get(nameOf(order.venueRef)), ours)),
    ...missing.map((order) => compareMissing(order, isComplete, asOf)),
  ]
}

/** Hashes are spelled in either case. */
const nameOf = (venueRef: string): string => venueRef.toLowerCase()

const isInFlight = (status: ExecutionStatus): boolean => status === 'submitted' || status === 'acked'

function compareShown(
  { venueRef, ...order }: HeldOrder,
  known: OurOrder | undefined,
  ours: readonly OurOrder[],
): ComparedOrder {
  const row = { orderId: venueRef, ...order }
  if (known !== undefined) {
    const { executionId, status } = known
    const found = { ...row, marketId: known.marketId ?? row.marketId, outcomeId: known.outcomeId ?? row.outcomeId }
    return isInFlight(status)
      ? { ...found, executionId, status, class: 'equal', reason: 'same' }
      : { ...found, executionId, status, class: 'drift', reason: 'rests_after_end' }
  }
  const unsettled = ours.find((one) => one.status === 'submitted' && one.venueRef === null && isAlike(one, order))
  if (unsettled === undefined) {
    return { ...row, executionId: null, status: null, class: 'orphan', reason: 'not_in_journal' }
  }
  const { executionId, status } = unsettled
  return { ...row, executionId, status, class: 'pending', reason: 'outcome_unknown' }
}

/** It may be this order: nothing that both name differs. */
const isAlike = (ours: OurOrder, shown: Pick<HeldOrder, 'marketId' | 'outcomeId'>): boolean =>
  (ours.marketId === null || shown.marketId === null || ours.marketId === shown.marketId) &&
  (ours.outcomeId === null || shown.outcomeId === null || ours.outcomeId === shown.outcomeId)

function compareMissing(
  { executionId, status, venueRef, marketId, outcomeId, updatedAt }: OurOrder,
  isComplete: boolean,
  asOf: number,
): ComparedOrder {
  const unknown = { isBuy: null, price: null, remaining: null }
  const row = { orderId: venueRef!, executionId, status, marketId, outcomeId, ...unknown }
  if (!isComplete) return { ...row, class: 'unproven', reason: 'list_incomplete' }
  if (updatedAt > asOf - settlingMs) return { ...row, class: 'pending', reason: 'recent' }
  return { ...row, class: 'ghost', reason: 'not_at_venue' }
}
