// Full-depth snapshots in the form readers expect of books.

import { ONE } from '#core/price'
import type { OrderBook } from '#schemas/marketData'
import type { SqlParameters } from '#storage/clickhouse/client'
import { sizeUnits } from '#storage/clickhouse/columnBuffers'
import { fromSide } from './predicates.ts'

const ownSides = 't.bids AS bids, t.bid_sizes AS bidSizes, t.asks AS asks, t.ask_sizes AS askSizes'
/** Best stays first: the lowest ask becomes the highest bid. */
const mirroredSides = `arrayMap(price -> ${fromSide(true, 'price')}, t.asks) AS bids, t.ask_sizes AS bidSizes,
  arrayMap(price -> ${fromSide(true, 'price')}, t.bids) AS asks, t.bid_sizes AS askSizes`

interface BookLine {
  ts: number
  bids: number[]
  bidSizes: number[]
  asks: number[]
  askSizes: number[]
}

export function findBooksSql(order: 'ASC' | 'DESC', mirrored: boolean): string {
  return `
SELECT t.ts AS ts, ${mirrored ? mirroredSides : ownSides}
FROM books AS t
WHERE t.venue = {venue:String} AND t.outcome_id = {outcomeId:String} AND t.ts BETWEEN {since:UInt64} AND {until:UInt64}
ORDER BY t.ts ${order}, t.recv_delay ${order}
LIMIT {limit:UInt32}
SETTINGS max_threads = 1
FORMAT JSONEachRow`
}

export const findBooksParameters = (
  venue: string,
  outcomeId: string,
  range: { sinceMs: number; untilMs: number; limit: number },
): SqlParameters => ({ venue, outcomeId, since: range.sinceMs, until: range.untilMs, limit: range.limit })

export function orderBookOf(line: BookLine): OrderBook {
  const at = new Date(line.ts).toISOString()
  return {
    bids: levelsOf(line.bids, line.bidSizes),
    asks: levelsOf(line.asks, line.askSizes),
    timestamp: line.ts,
    datetime: at,
    isNegRisk: null,
    lastTradePrice: null,
    asOf: at,
    provenance: { source: 'archive' },
    synthetic: false,
    cached: false,
    sourceMetadata: { synthetic: false },
  }
}

const levelsOf = (prices: readonly number[], sizes: readonly number[]) =>
  prices.map((price, i) => ({ price: price / ONE, size: (sizes[i] ?? 0) / sizeUnits }))

export type { BookLine }
