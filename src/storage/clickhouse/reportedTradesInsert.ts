// What a venue reported about a wallet, as one insert.
import type { TapeStore } from './client.ts'
import { noPrice, unitsOf } from './columnBuffers.ts'
import type { InsertTarget } from './deduplication.ts'
import { RowBinary } from './rowBinary.ts'
import { sides, usdUnits } from './traderInsert.ts'

const reportedTarget = {
  table: 'trader_told',
  columns: [
    ...['venue', 'wallet', 'ts', 'trade_id', 'outcome_id', 'market_id', 'side', 'price', 'size', 'usd'],
    ...['since', 'until', 'batch'],
  ],
  except: ['batch'],
} satisfies Partial<InsertTarget>
/** Fixed part of one row, bytes. */
const rowBytes = 64

export interface ReportedTradeRow {
  ts: number
  tradeId: string
  outcomeId: string
  marketId: string
  side: 'buy' | 'sell'
  priceMicros: number | null
  /** Shares or contracts. */
  size: number
  /** Null if unknown. */
  usd: number | null
}

export interface ReportedTrade {
  venue: string
  wallet: string
  /** All its trades after `since` and up to `until`, epoch ms. */
  since: number
  until: number
  rows: readonly ReportedTradeRow[]
}

export async function insertReportedTrades(
  store: Pick<TapeStore, 'insert'>,
  { venue, wallet, since, until, rows }: ReportedTrade,
  batch: number,
  token: string,
): Promise<void> {
  const out = new RowBinary()
  for (const { ts, tradeId, outcomeId, marketId, side, priceMicros, size, usd } of rows) {
    out.text(venue)
    out.text(wallet)
    out.reserve(8)
    out.uint64(ts)
    out.text(tradeId)
    out.text(outcomeId)
    out.text(marketId)
    out.reserve(rowBytes)
    out.uint8(sides[side])
    out.uint32(priceMicros ?? noPrice)
    out.uint64(unitsOf(size))
    out.uint64(usdUnits(usd))
    out.uint64(since)
    out.uint64(until)
    out.uint64(batch)
  }
  await store.insert(
    { ...reportedTarget, within: `since = ${since} AND until = ${until}` },
    out.finish(),
    `${token}/${reportedTarget.table}`,
  )
}
