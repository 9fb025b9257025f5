// A wallet's resting orders on Myriad's order books, which exist only on BNB Chain. The list is public, and so are its rows by hash.
import { fromUnits } from '#core/decimal'
import { timeOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { evmWallet } from '../../shared/data/wallets.ts'
import type { PublicOpenOrder, PublicOpenOrders } from '../../venue.ts'
import { MyriadOrder, statusOf } from '../exec/wire.ts'
import { marketIdOf, outcomeIdOf } from '../ids.ts'
import { listOpenOrders } from './endpoints.ts'

/** Of shares and of prices. */
const decimals = 18
const chain = '56'

export const openOrders: PublicOpenOrders = {
  source: 'venue_api',
  /** The venue allows 180 requests a minute without a key. */
  readsPerMinute: 30,
  accountOf: evmWallet,
  async fetch(context, account) {
    const rows = await listOpenOrders(context, { trader: account, network_id: chain })
    // If a page shifted during the reads, a row appears twice.
    const orders = new Map<string, PublicOpenOrder>()
    for (const row of rows) {
      const { data } = MyriadOrder.safeParse(row)
      const status = data === undefined ? null : statusOf(data.status)
      // An order in an unknown state may be open: a list without it would be incomplete.
      if (data === undefined || status === null || data.order.trader.toLowerCase() !== account)
        throw unreadable(context, '/orders', `order ${JSON.stringify(row)?.slice(0, 200)}`)
      if (status === 'acked') orders.set(data.orderHash, orderOf(data, row))
    }
    return { orders: [...orders.values()], asOfMs: context.clock.now() }
  },
}

function orderOf({ order, ...row }: MyriadOrder, raw: unknown): PublicOpenOrder {
  const [size, filled] = [BigInt(order.amount), row.filledAmount == null ? null : BigInt(row.filledAmount)]
  const marketId = marketIdOf({ networkId: chain, model: 'ob', id: order.marketId })
  const sharesOf = (wei: bigint): number => Number(fromUnits(wei, decimals))
  return {
    orderId: row.orderHash,
    marketId,
    outcomeId: outcomeIdOf(marketId, String(order.outcomeId)),
    side: order.side === 0 ? 'buy' : 'sell',
    orderType: 'limit',
    limitPrice: sharesOf(BigInt(order.price)),
    originalSize: sharesOf(size),
    filledSize: filled === null ? null : sharesOf(filled),
    remainingSize: filled === null || filled > size ? null : sharesOf(size - filled),
    status: row.status,
    createdAtMs: timeOf(row.createdAt),
    updatedAtMs: timeOf(row.updatedAt),
    raw,
  }
}
