// The order of an account's open orders: newest first, those without a time last. A page continues after the last order of the previous one,
// whatever came or went meanwhile.
import { z } from 'zod'
import { isLimitPrice } from '#venues/shared/data/sanityChecks'
import type { PublicOpenOrder } from '#venues/venue'

/** As stored in a cursor: the order's creation time, null when unknown, and its id. */
export const Position = z.tuple([z.number().nullable(), z.string()])
export type Position = z.infer<typeof Position>

export const positionOf = ({ createdAtMs, orderId }: PublicOpenOrder): Position => [createdAtMs, orderId]

/** Ids break ties by their bytes, so that the order is the same everywhere. */
export function comparePositions([aMs, aId]: Position, [bMs, bId]: Position): number {
  if (aMs !== bMs) return aMs === null ? 1 : bMs === null ? -1 : bMs - aMs
  return aId < bId ? -1 : aId > bId ? 1 : 0
}

/** Each once: in a list read in pieces the later entry wins. A price that no resting order can have becomes null. */
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
