// An owner's resting orders at Pascal. Accounts are public; their rows state the unfilled part of an order, not its original
// size.
import { microsOf, numberOf, probabilityOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import type { PublicOpenOrder, PublicOpenOrders } from '../../venue.ts'
import { base58Bytes } from '../exec/base58.ts'
import { isSymbol } from '../ids.ts'
import { PascalRestingOrder } from '../wire.ts'
import { getAccount } from './endpoints.ts'

export const openOrders: PublicOpenOrders = {
  source: 'venue_api',
  /** No limit is documented; the process allows itself 120 requests a minute. */
  readsPerMinute: 30,
  accountOf: (accountId) => (base58Bytes(accountId, 32) === null ? null : accountId),
  async fetch(context, account) {
    const answer = await getAccount(context, account)
    const asOfMs = timeOfEpoch(answer?.state_time_ms, 'ms') ?? context.clock.now()
    const orders = (answer?.data.orders ?? []).map((row) => {
      const order = orderOf(row)
      if (order === null) throw unreadable(context, '/api/v1/accounts', `order ${JSON.stringify(row)?.slice(0, 200)}`)
      return order
    })
    return { orders, asOfMs }
  },
}

/** Null when unreadable. An order is of YES: NO is that book seen from the other side. */
export function orderOf(row: unknown): PublicOpenOrder | null {
  const { data } = PascalRestingOrder.safeParse(row)
  const orderId = data?.id ?? data?.client_order_id
  if (data === undefined || orderId == null || !isSymbol(data.symbol)) return null
  return {
    orderId,
    marketId: data.symbol,
    outcomeId: data.symbol,
    side: data.side === 'BID' ? 'buy' : 'sell',
    // Resting orders have a price; the venue has no other conditions.
    orderType: 'limit',
    limitPrice: probabilityOf(microsOf(data.price)),
    originalSize: null,
    filledSize: null,
    remainingSize: numberOf(data.size_remaining),
    status: 'open',
    createdAtMs: null,
    updatedAtMs: null,
    raw: row,
  }
}
