// Prepares what a venue reports of one wallet for the record. Pure.
//
// A reading replaces all trades of the wallet in the period it covers, and what the record saw of the wallet in that period no longer counts. So
// nothing
// counts twice, whatever a trade was called where it was seen, and the edges are unambiguous: the oldest moment may be cut by the last page, and the
// newest minute may be incomplete. Neither is taken.
import type { TraderTrade } from '#schemas/traders'
import { isMicros, isSize, isTime } from '#storage/clickhouse/columnBuffers'
import type { ReportedTrade, ReportedTradeRow } from '#storage/clickhouse/reportedTradesInsert'
import type { TradedMarket } from './ports.ts'
import { walletName } from './walletName.ts'

/** Trades younger than this are left to the readers of the venue. */
export const newWalletMs = 60_000

export interface Reading {
  venue: string
  wallet: string
  /** In any order. */
  rows: readonly TraderTrade[]
  /** There is nothing older. */
  isWhole: boolean
  /** Epoch ms, before the first page. */
  readAt: number
}

/** Null: nothing in it is usable. */
export function venueReportOf(
  { venue, wallet, rows, isWhole, readAt }: Reading,
  placeOf: (outcomeId: string) => TradedMarket | null,
): ReportedTrade | null {
  const old = rows.filter(({ ts }) => isTime(ts) && ts <= readAt - newWalletMs)
  const times = old.map(({ ts }) => ts)
  const oldest = Math.min(...times)
  const since = isWhole ? oldest - 1 : oldest
  const kept = onceEach(old.filter(({ ts }) => ts > since))
  if (kept.length === 0) return null
  return {
    venue,
    wallet: walletName(wallet),
    since: Math.max(0, since),
    until: Math.max(...times),
    rows: kept.map((row) => rowOf(row, placeOf)),
  }
}

/**
 * A missing value is neither guessed nor does it drop the row: a trade without a price keeps its whole market out of scores, since its
 * result cannot be determined.
 */
function rowOf(row: TraderTrade, placeOf: (outcomeId: string) => TradedMarket | null): ReportedTradeRow {
  const { outcomeId, tradeId, ts, side, price, amount, usdSize } = row
  const place = outcomeId === null ? null : placeOf(outcomeId)
  const marketId = place?.marketId ?? row.marketId
  const priceMicros = price === null ? null : Math.round(price * 1_000_000)
  if (outcomeId === null || side === null || amount === null || !isSize(amount) || !isMicros(priceMicros))
    return { ts, tradeId, outcomeId: `${marketId}?`, marketId, side: 'buy', priceMicros: null, size: 0, usd: null }
  return {
    ts,
    tradeId,
    outcomeId: place?.outcomeId ?? outcomeId,
    marketId,
    side,
    priceMicros,
    size: amount,
    usd: usdSize,
  }
}

/** Pages read one after another may overlap. */
const onceEach = (rows: readonly TraderTrade[]): TraderTrade[] => [
  ...new Map(
    rows.map((row) => [JSON.stringify([row.ts, row.tradeId, row.outcomeId, row.side, row.price, row.amount]), row]),
  ).values(),
]
