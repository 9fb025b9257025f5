// The orders of an account that its venue shows to anyone, as a part of its holdings.
import type { VenueSlug } from '#schemas/venues'
import type { HeldOrder, OpenOrders } from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import type { PublicOpenOrder, PublicOpenOrders } from '../../venue.ts'
import { decimalIn } from './normalizedFill.ts'

/** `refOf`: where an execution has another id of the order than the list. */
export async function readPublicOrders(
  context: LaneContext,
  venue: VenueSlug,
  { fetch, accountOf }: PublicOpenOrders,
  account: string,
  refOf: (order: PublicOpenOrder) => string = ({ orderId }) => orderId,
): Promise<OpenOrders> {
  const { orders } = await fetch({ ...context, venue, credentials: null }, accountOf(account) ?? account)
  const held = orders.map(
    (order): HeldOrder => ({
      venueRef: refOf(order),
      marketId: order.marketId,
      outcomeId: order.outcomeId,
      isBuy: order.side === 'buy',
      price: decimalIn(order.limitPrice),
      remaining: decimalIn(order.remainingSize),
    }),
  )
  // A partial list is a fault.
  return { orders: held, isComplete: true }
}
