// Orders of which the venue has reported more as filled than is stored in fills.
//
//   it still rests      ─► its fills are stored once it ends: until then what is missing counts at its limit price
//   it has just ended   ─► the same, for two minutes
//   it ended before     ─► what it paid is unknown
import { setImmediate } from 'node:timers/promises'
import { compareDecimals, multiplyDecimals, roundDecimal, subtractDecimals } from '#core/decimal'
import type { MatchedOrderRow } from '#storage/postgres/portfolio/findExecutions'
import type { OrderTerms } from '#venues/lane'
import type { JournalPorts, UnexplainedOrder } from '../ports.ts'
import { currencyOf, type FillEntries, ledgerPlaces, orderKey, termsOf } from './fillEntries.ts'

/** Longer than the read that stores the fills of an order after its end. */
const fillsWithinMs = 120_000
/** Contracts; fewer than that are rounding at the venue, and gain or lose less than a cent. */
const negligible = '0.01'

interface Found {
  executionId: string
  terms: OrderTerms
  currency: string | null
  size: string
}

/** Executions that are one order at the venue report the same size. */
interface VenueOrder {
  venue: string
  /** Modifications that keep the order's id share its fills: summed once. */
  filled: string
  /** One of them may still be filled. */
  isOpen: boolean
  /** When it reached its status, epoch ms. */
  changedAt: number
  found: Found | null
}

export async function findUnexplained(
  { store, clock }: Pick<JournalPorts, 'store' | 'clock'>,
  accountId: string,
  fills: FillEntries,
  pageRows: number,
): Promise<UnexplainedOrder[]> {
  const orders = new Map<string, VenueOrder>()
  let after: string | null = null
  for (;;) {
    const rows: MatchedOrderRow[] = await store.findMatchedOrders({ accountId, after, limit: pageRows })
    for (const row of rows) {
      const terms = termsOf(row)
      if (terms === null) continue
      const key = orderKey(row)
      const order = orders.get(key) ?? newOrder(row.venue, fills.filledSize(row))
      orders.set(key, order)
      order.isOpen ||= row.is_open
      order.changedAt = Math.max(order.changedAt, row.updated_at.getTime())
      const size = subtractDecimals(row.matched_size ?? statedSize(order, terms), order.filled)
      if (compareDecimals(size, order.found?.size ?? '0') <= 0) continue
      order.found = { executionId: row.id, terms, currency: currencyOf(row), size }
    }
    if (rows.length < pageRows) break
    after = rows.at(-1)!.id
    await setImmediate()
  }
  const nowMs = clock.now()
  return [...orders.values()].flatMap((order) =>
    order.found === null ? [] : [unexplainedOf(order, order.found, nowMs)],
  )
}

/** A filled order without a reported size and without fills: its owner stated the outcome, which is its whole size. */
const statedSize = ({ filled }: VenueOrder, { size }: OrderTerms): string => (filled === '0' ? size : filled)

const newOrder = (venue: string, filled: string): VenueOrder => ({
  venue,
  filled,
  isOpen: false,
  changedAt: 0,
  found: null,
})

function unexplainedOf(
  { venue, isOpen, changedAt }: VenueOrder,
  { executionId, terms, currency, size }: Found,
  nowMs: number,
): UnexplainedOrder {
  const { marketId, outcomeId, isBuy, price } = terms
  const isSettling = isOpen || nowMs - changedAt < fillsWithinMs || compareDecimals(size, negligible) < 0
  const perShare = isBuy ? price : subtractDecimals('1', price)
  return {
    ...{ executionId, venue, marketId, outcomeId, size, currency },
    side: isBuy ? 'buy' : 'sell',
    cash: isSettling ? amountOf(size, price) : null,
    // The whole cost of an order that rests counts as that of an open order.
    atRisk: isOpen ? '0' : isSettling ? amountOf(size, perShare) : null,
  }
}

const amountOf = (size: string, perShare: string): string =>
  roundDecimal(multiplyDecimals(size, perShare), ledgerPlaces, 'halfEven')
