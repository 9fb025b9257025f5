// Orders of an address that rest on outcomes. The venue shows them publicly, with those on its perpetuals and tokens, which are left out.
import { compareDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import { numberOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { evmWallet } from '../../shared/data/wallets.ts'
import type { PublicOpenOrder, PublicOpenOrders } from '../../venue.ts'
import { isCoin, outcomeNumberOf } from '../ids.ts'
import { HyperCoinRow, HyperOpenOrder } from '../wire.ts'
import { getOpenOrders } from './endpoints.ts'

export const openOrders: PublicOpenOrders = {
  source: 'venue_api',
  /** Each costs 20 of the 1,200 per minute. */
  readsPerMinute: 12,
  accountOf: evmWallet,
  async fetch(context, account) {
    const rows = await getOpenOrders(context, account)
    const asOfMs = context.clock.now()
    const orders = rows.flatMap((row) => {
      const coin = HyperCoinRow.safeParse(row).data?.coin
      if (coin !== undefined && !isCoin(coin)) return []
      const order = orderOf(row)
      // An unreadable order must not look like an absent one.
      if (order === null) throw unreadable(context, 'frontendOpenOrders', `order ${JSON.stringify(row)?.slice(0, 200)}`)
      return [order]
    })
    return { orders, asOfMs }
  },
}

const sides: Readonly<Record<string, PublicOpenOrder['side']>> = { B: 'buy', A: 'sell' }

/** Null when unreadable. */
export function orderOf(row: unknown): PublicOpenOrder | null {
  const { data } = HyperOpenOrder.safeParse(row)
  if (data === undefined) return null
  const { coin, side, oid, orderType, isTrigger, timestamp } = data
  const [left, whole] = [readDecimal(data.sz), readDecimal(data.origSz)]
  if (left === null || whole === null || compareDecimals(left, whole) > 0) return null
  return {
    orderId: String(oid),
    marketId: String(outcomeNumberOf(coin)),
    outcomeId: coin,
    side: sides[side]!,
    // An order waiting for a trigger is not on the book, whatever it will become.
    orderType: isTrigger === true ? 'other' : (kinds[orderType ?? ''] ?? 'other'),
    limitPrice: numberOf(data.limitPx),
    originalSize: Number(whole),
    filledSize: Number(subtractDecimals(whole, left)),
    remainingSize: Number(left),
    status: 'open',
    createdAtMs: timeOfEpoch(timestamp, 'ms'),
    updatedAtMs: null,
    raw: row,
  }
}

const kinds: Readonly<Record<string, PublicOpenOrder['orderType']>> = { Limit: 'limit', Market: 'market' }
