// The order in which an account's open orders are told: newest first, those without a time last. A page goes on behind the last order of the one
// before, whatever came or went meanwhile.
import { z } from 'zod'
import { isLimitPrice } from '#venues/shared/data/possible'
import type { PublicOpenOrder } from '#venues/venue'

/** As a cursor keeps it: when the order was made, null where nobody says, and its name. */
export const Position = z.tuple([z.number().nullable(), z.string()])
export type Position = z.infer<typeof Position>

export const positionOf = ({ createdAtMs, orderId }: PublicOpenOrder): Position => [createdAtMs, orderId]

/** Names break ties by their bytes, so that the order is the same everywhere. */
export function comparePositions([aMs, aId]: Position, [bMs, bId]: Position): number {
  if (aMs !== bMs) return aMs === null ? 1 : bMs === null ? -1 : bMs - aMs
  return aId < bId ? -1 : aId > bId ? 1 : 0
}

/** Each once: of a list that was read in pieces the later word stands. A price at which no order rests is no price. */
export const sorted = (orders: readonly PublicOpenOrder[]): PublicOpenOrder[] =>
  [...new Map(orders.map((order) => [order.orderId, order])).values()]
    .map(priced)
    .toSorted((a, b) => comparePositions(positionOf(a), positionOf(b)))

const priced = (order: PublicOpenOrder): PublicOpenOrder =>
  order.limitPrice === null || isLimitPrice(order.limitPrice) ? order : { ...order, limitPrice: null }

/** One page, and where the next one begins; null at the end. */
export function pageOf(
  orders: readonly PublicOpenOrder[],
  after: Position | null,
  limit: number,
): { page: PublicOpenOrder[]; next: Position | null } {
  const from = after === null ? 0 : orders.findIndex((order) => comparePositions(positionOf(order), after) > 0)
  const rest = from < 0 ? [] : orders.slice(from)
  const page = rest.slice(0, limit)
  return { page, next: rest.length > limit ? positionOf(page.at(-1)!) : null }
}
