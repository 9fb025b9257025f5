// History's interface to the tape. ClickHouse implements it; rows pass as bytes.
import type { Candle, OrderBook, Trade } from '#schemas/marketData'

export const replayKinds = ['tob', 'trades', 'candles', 'l2'] as const
export type ReplayKind = (typeof replayKinds)[number]
export const replayResolutions = ['1s', '5s', '10s', '30s', '1m', '1h', '1d'] as const
export type ReplayResolution = (typeof replayResolutions)[number]

export const replayFormats = ['ndjson', 'csv', 'parquet'] as const
export type ReplayFormat = (typeof replayFormats)[number]

/** Strictly after this key: `tie` orders rows of one millisecond (tob: arrival number; trades: trade id; candles: unused; l2: epoch and number). */
export interface ReplayPosition {
  /** For l2 the receive time. */
  ts: number
  tie: string
}

export interface ReplayQuery {
  venue: string
  /** Canonical outcome ids (more than one if the id has several representations). */
  outcomeIds: readonly string[]
  /** The outcome's market in the catalog, if known. */
  marketId?: string | undefined
  kind: ReplayKind
  resolution?: ReplayResolution
  sinceMs: number
  untilMs: number
  limit: number
  after: ReplayPosition | null
  /** Row format. Absent: NDJSON. Null: no rows, only where the page ends. */
  lines?: 'ndjson' | 'csv' | null
  signal: AbortSignal
}

export interface PageEnd {
  rows: number
  /** Null for an empty page. */
  last: ReplayPosition | null
  /** Rows remain after `last`. */
  more: boolean
}

/** Rows as lines, followed by what the cursor line needs. */
export interface ReplayPage {
  chunks: AsyncIterable<Uint8Array>
  /** Resolves after the last chunk. */
  end: Promise<PageEnd>
}

/** Stretches in which a row of the arbitrage surface was executable, by their start. */
export interface ArbitrageQuery {
  sinceMs: number
  untilMs: number
  /** Of either leg. */
  venue: string | null
  /** A base cluster, or one ordered pair of it (`<clusterId>:<venueA>:<venueB>`). */
  clusterId: string | null
  limit: number
  /** `tie`: the row's id. */
  after: ReplayPosition | null
  signal: AbortSignal
}

export interface TradeSums {
  trades: number
  /** Contracts, decimal string. */
  volume: string
  /** Prices times sizes in dollars, decimal string; null: a trade has no price. */
  cash: string | null
}

/** Outcomes are named as readers and the catalog name them. `marketId`, if known from the catalog, resolves ambiguous ids. */
export interface MarketHistory {
  replay(query: ReplayQuery): Promise<ReplayPage>
  /** The same rows, up to and including that key, as one Parquet file. */
  replayParquet(query: ReplayQuery, last: ReplayPosition): Promise<AsyncIterable<Uint8Array>>
  replayArbitrage(query: ArbitrageQuery): Promise<ReplayPage>
  /** Newest full-depth snapshot at or before `atMs`; null if the tape has none. */
  findBook(venue: string, outcomeId: string, atMs: number, marketId?: string): Promise<OrderBook | null>
  findBooks(
    venue: string,
    outcomeId: string,
    range: { sinceMs: number; untilMs: number; limit: number },
    marketId?: string,
  ): Promise<OrderBook[]>
  /** The newest of the range, newest first. */
  findTrades(
    venue: string,
    outcomeId: string,
    range: { startMs?: number; endMs?: number; limit: number },
    marketId?: string,
  ): Promise<Trade[]>
  /** Of the newest `limit` trades of the range. */
  sumTrades(
    venue: string,
    outcomeId: string,
    range: { startMs: number; endMs: number; limit: number },
    marketId?: string,
  ): Promise<TradeSums>
  findCandles(
    venue: string,
    outcomeId: string,
    range: { resolutionMs: number; startMs?: number; endMs?: number; limit: number },
    marketId?: string,
  ): Promise<Candle[]>
  /** Whether the outcome has any tape, and since when. */
  hasOutcome(venue: string, outcomeId: string, marketId?: string): Promise<boolean>
}
