// The traders' record as inserts: trades by wallet, the same trades by time, settlements, and rolled-up wallets.
import type { WalletCategory } from '#schemas/traders'
import type { TapeStore } from './client.ts'
import { isSize, noPrice, unitsOf } from './columnBuffers.ts'
import { between, type InsertTarget } from './deduplication.ts'
import { RowBinary } from './rowBinary.ts'

const trades = {
  table: 'trader_trades',
  columns: [
    'venue',
    'wallet',
    'ts',
    'trade_id',
    'outcome_id',
    'market_id',
    'role',
    'side',
    'recv_delay',
    'price',
    'size',
    'usd',
    'batch',
  ],
  except: ['batch'],
} satisfies Partial<InsertTarget>
const verdict = ['judged', 'category', 'wallet_score', 'trade_score', 'size_factor', 'entry_factor', 'timing_factor']
const feed = {
  table: 'trader_feed',
  columns: [
    ...['ts', 'trade_id', 'venue', 'outcome_id', 'market_id', 'wallet', 'side', 'recv_delay', 'price', 'size', 'usd'],
    ...verdict,
  ],
  // Recomputed.
  except: verdict,
} satisfies Partial<InsertTarget>
const settlements = {
  table: 'trader_settlements',
  columns: ['venue', 'outcome_id', 'market_id', 'payout', 'batch'],
} satisfies Partial<InsertTarget>
const wallets: InsertTarget = {
  table: 'trader_wallets',
  columns: [
    ...['venue', 'wallet', 'made_from', 'score', 'track_record', 'experience', 'scale', 'discipline', 'category'],
    ...['trades', 'markets', 'settled', 'won', 'usd', 'pnl', 'first_ts', 'last_ts'],
  ],
  within: null,
}

const looks: InsertTarget = { table: 'trader_looks', columns: ['venue', 'at'], within: null }

/** Unknown USD. */
export const noUsd = Number.MAX_SAFE_INTEGER
/** No score. */
export const noScore = 65_535

export const sides = { buy: 1, sell: 2 } as const
const roles = { taker: 1, maker: 2 } as const
const categories: Readonly<Record<WalletCategory, number>> = { bot: 1, whale: 2, smart: 3, fresh: 4, fish: 5 }
/** Fixed part of one row of the widest table, bytes. */
const rowBytes = 160

export interface TraderTradeRow {
  venue: string
  wallet: string
  ts: number
  tradeId: string
  outcomeId: string
  marketId: string
  role: 'taker' | 'maker'
  side: 'buy' | 'sell'
  recvTs: number
  priceMicros: number | null
  /** Shares or contracts. */
  size: number
  /** Null if unknown. */
  usd: number | null
}

/** Assessment of the wallet and of its trade; null if there was none. */
export interface TradeHaltCheck {
  category: WalletCategory | null
  walletScore: number | null
  tradeScore: number
  size: number | null
  entry: number | null
  timing: number | null
}

export interface SettlementRow {
  venue: string
  outcomeId: string
  marketId: string
  payoutMicros: number
}

export interface WalletRow {
  venue: string
  wallet: string
  madeFrom: number
  score: number | null
  trackRecord: number | null
  experience: number | null
  scale: number | null
  discipline: number | null
  category: WalletCategory | null
  trades: number
  markets: number
  settled: number
  won: number
  /** Millionths. */
  usd: number | null
  pnl: number | null
  firstTs: number
  lastTs: number
}

const withinOf = (rows: readonly TraderTradeRow[]): string =>
  `${between('ts', rows, ({ ts }) => ts)} AND ${between('ts + recv_delay', rows, ({ recvTs }) => recvTs)}`

type Inserter = Pick<TapeStore, 'insert'>

const tenthsOf = (score: number | null): number => (score === null ? noScore : Math.round(score * 10))
export const usdUnits = (usd: number | null): number => (usd === null || !isSize(usd) ? noUsd : unitsOf(usd))

export async function insertTraderTrades(
  store: Inserter,
  rows: readonly TraderTradeRow[],
  batch: number,
  token: string,
): Promise<void> {
  if (rows.length === 0) return
  const out = new RowBinary()
  for (const row of rows) {
    out.text(row.venue)
    out.text(row.wallet)
    out.reserve(8)
    out.uint64(row.ts)
    out.text(row.tradeId)
    out.text(row.outcomeId)
    out.text(row.marketId)
    out.reserve(rowBytes)
    out.uint8(roles[row.role])
    out.uint8(sides[row.side])
    writeFigures(out, row)
    out.uint64(batch)
  }
  await store.insert({ ...trades, within: withinOf(rows) }, out.finish(), `${token}/${trades.table}`)
}

/** `verdict` null: there was none. */
export async function insertFeed(
  store: Inserter,
  rows: readonly { trade: TraderTradeRow; verdict: TradeHaltCheck | null }[],
  token: string,
): Promise<void> {
  if (rows.length === 0) return
  const out = new RowBinary()
  for (const { trade, verdict } of rows) {
    out.reserve(8)
    out.uint64(trade.ts)
    out.text(trade.tradeId)
    out.text(trade.venue)
    out.text(trade.outcomeId)
    out.text(trade.marketId)
    out.text(trade.wallet)
    out.reserve(rowBytes)
    out.uint8(sides[trade.side])
    writeFigures(out, trade)
    out.uint8(verdict === null ? 0 : 1)
    out.uint8(categoryNumber(verdict?.category))
    out.uint16(tenthsOf(verdict?.walletScore ?? null))
    out.uint16(tenthsOf(verdict?.tradeScore ?? null))
    out.uint16(tenthsOf(verdict?.size ?? null))
    out.uint16(tenthsOf(verdict?.entry ?? null))
    out.uint16(tenthsOf(verdict?.timing ?? null))
  }
  await store.insert(
    { ...feed, within: withinOf(rows.map(({ trade }) => trade)) },
    out.finish(),
    `${token}/${feed.table}`,
  )
}

function writeFigures(out: RowBinary, row: TraderTradeRow): void {
  out.int64(row.recvTs - row.ts)
  out.uint32(row.priceMicros ?? noPrice)
  out.uint64(unitsOf(row.size))
  out.uint64(usdUnits(row.usd))
}

const categoryNumber = (category: WalletCategory | null | undefined): number =>
  category === null || category === undefined ? 0 : categories[category]

export async function insertSettlements(
  store: Inserter,
  rows: readonly SettlementRow[],
  batch: number,
  token: string,
): Promise<void> {
  if (rows.length === 0) return
  const out = new RowBinary()
  for (const { venue, outcomeId, marketId, payoutMicros } of rows) {
    out.text(venue)
    out.text(outcomeId)
    out.text(marketId)
    out.reserve(rowBytes)
    out.uint32(payoutMicros)
    out.uint64(batch)
  }
  await store.insert({ ...settlements, within: `batch = ${batch}` }, out.finish(), `${token}/${settlements.table}`)
}

/** Up to when a venue's trades are written, for venues that are watched. */
export async function insertWalletPolls(
  store: Inserter,
  rows: ReadonlyMap<string, number>,
  token: string,
): Promise<void> {
  if (rows.size === 0) return
  const out = new RowBinary()
  for (const [venue, at] of rows) {
    out.text(venue)
    out.reserve(8)
    out.uint64(at)
  }
  await store.insert(looks, out.finish(), `${token}/${looks.table}`)
}

export async function insertWallets(store: Inserter, rows: readonly WalletRow[], token: string): Promise<void> {
  if (rows.length === 0) return
  const out = new RowBinary()
  for (const row of rows) {
    out.text(row.venue)
    out.text(row.wallet)
    out.reserve(rowBytes)
    out.uint64(row.madeFrom)
    for (const score of [row.score, row.trackRecord, row.experience, row.scale, row.discipline])
      out.uint16(tenthsOf(score))
    out.uint8(categoryNumber(row.category))
    for (const count of [row.trades, row.markets, row.settled, row.won]) out.uint64(count)
    out.uint64(row.usd ?? noUsd)
    out.int64(row.pnl ?? -noUsd)
    out.uint64(row.firstTs)
    out.uint64(row.lastTs)
  }
  await store.insert(wallets, out.finish(), `${token}/${wallets.table}`)
}
