// The messages between roles: topic names, keys (and why each key preserves order) and values. Producers and consumers both import this
// file.
import type { Coverage, MarketStatus } from './market.ts'
import type { StaleReason } from './staleReason.ts'
import type { DriftKind } from './status.ts'
import type { StructureCounts, StructureRow } from './structures.ts'

/** A complete book at one instant, encoded once by ingest and not parsed again before it reaches a socket. */
export interface BookUpdate {
  venue: string
  /** Stream market id: polymarket token id, kalshi ticker. */
  marketId: string
  /** `live`: `core` is the newest book. `stale`: `core` must not be treated as fresh until the next live update. */
  state: 'live' | 'stale'
  /** Why it is stale. */
  staleReason?: StaleReason
  /** Increases within one `epoch`. */
  seq: number
  /**
   * Number of the owner that sends it: increases with every change of the venue's feeder, across all processes. Messages with a lower one
   * are void.
   */
  epoch: number
  /** The part of the venue that its sender owns (`schemas/parts.ts`); absent: all of it. Epochs are compared within a part. */
  part?: string
  /** Venue event time, epoch ms; null when the venue gives none. */
  eventTs: number | null
  /** When the bytes arrived, epoch ms. */
  recvTs: number
  /** When the venue was last read and returned the same book, epoch ms; absent unless that was after `recvTs`. */
  provenAt?: number
  /**
   * `{"bids":[…],"asks":[…],"timestamp":N` without the closing brace: each reader appends the fields its frame needs.
   * UTF-8.
   */
  core: Buffer
  /** Last public trade price in micros, null when unknown. */
  lastTradeMicros: number | null
  /** Time of that trade on the venue's clock, epoch ms; absent when the venue gives none. */
  lastTradeTs?: number
  /**
   * How often the book became untrustworthy since its owner opened it. If it differs from the previous update, the two books are separated
   * by a break. Absent: not counted.
   */
  breaks?: number
  /**
   * How many books were committed since its owner opened it: if it grew by more than one since the previous update, those in between were
   * skipped. Absent: not counted.
   */
  commits?: number
}

/** A trade as carried in the stream's `data`. Fields the venue lacks are null, never made up. */
export interface TradeData {
  id: string
  /** ISO time of the trade. */
  time: string
  /** Epoch ms. */
  timestamp: number
  /** Taker's direction, capitalized as users know it: Buy, Sell, Unknown. */
  type: 'Buy' | 'Sell' | 'Unknown'
  usd: number | null
  outcome: string | null
  outcomeIndex: number | null
  shares: number
  price: number | null
  maker: string | null
  transactionHash: string | null
  wallet: string | null
  counterparty: string | null
}

export interface TradeUpdate {
  venue: string
  /** Stream market id the trade belongs to. */
  marketId: string
  /** The outcome that `data.price` is for. */
  outcomeId: string
  data: TradeData
  recvTs: number
  /** Absent: the venue's own tape. */
  provenance?: 'chain-scan'
  /** Of the sending owner, see BookUpdate. */
  epoch?: number
  part?: string
}

/** A trade that was published and recorded, and then dropped from its chain by a reorganization: it never happened. */
export interface TradeWithdrawal {
  venue: string
  outcomeId: string
  tradeId: string
  /** Epoch ms. The same trade received after this counts: its block came back. */
  at: number
  /** Of the sending owner, see BookUpdate. */
  epoch?: number
  part?: string
}

/** One top-of-book row for the tape. Prices in micros; null when that side is empty. Sizes in contracts or shares. */
export interface TopOfBookRow {
  venue: string
  outcomeId: string
  /** Event time when the venue gives one, else receive time; epoch ms. */
  ts: number
  recvTs: number
  bidMicros: number | null
  bidSize: number
  askMicros: number | null
  askSize: number
}

/** Tape rows of one outcome, in order. One batch is one bus message. */
export interface TapeBatch {
  venue: string
  outcomeId: string
  /** Of the sending owner, see BookUpdate. Absent: there is only one possible owner. */
  epoch?: number
  part?: string
  topOfBook: TopOfBookRow[]
  trades: TapeTradeRow[]
  books: TapeBookRow[]
  /** Absent: none. */
  depth?: TapeDepthRow[]
}

export interface TapeTradeRow {
  venue: string
  outcomeId: string
  tradeId: string
  ts: number
  recvTs: number
  priceMicros: number | null
  size: number
  side: 'buy' | 'sell' | 'unknown'
  transactionHash: string | null
}

/** Periodic full depth. Parallel arrays, best first. */
export interface TapeBookRow {
  venue: string
  outcomeId: string
  ts: number
  recvTs: number
  bidMicros: number[]
  bidSizes: number[]
  askMicros: number[]
  askSizes: number[]
}

/**
 * Kinds of full-depth rows. `start`: a whole book; changes since the row before are unknown. `snapshot`: the book, restated. `delta`: changed
 * levels. `same`: nothing changed, and the book is live. `gap`: from here on the book is unknown.
 */
export type DepthType = 'start' | 'snapshot' | 'delta' | 'same' | 'gap'

/** One full-depth change of a book. Venue and outcome are the batch's. */
export interface TapeDepthRow {
  type: DepthType
  /** As in TopOfBookRow. */
  ts: number
  /** When it was known, epoch ms: never before the previous change. */
  recvTs: number
  /** Increases by one with each change of the book, within the owner's epoch. */
  seq: number
  /** Changed levels and their new sizes (0: removed), bids first; parallel arrays. */
  micros: number[]
  sizes: number[]
  /** How many of them are bids. */
  bids: number
}

/** A trade that identifies at least one of its two wallets, for the record of traders. */
export interface WalletTrade {
  venue: string
  /** As on the tape: the book's own outcome. */
  outcomeId: string
  tradeId: string
  ts: number
  recvTs: number
  priceMicros: number | null
  size: number
  /** Side of `wallet`; the counterparty is on the other. */
  side: 'buy' | 'sell'
  usd: number | null
  wallet: string | null
  counterparty: string | null
  /** Of the sending owner, see BookUpdate. */
  epoch?: number
  part?: string
}

/**
 * A progress mark of a venue's trade reader: all trades up to `lookedAt` (epoch ms) were sent before it. Sent even without trades, because silence
 * alone proves nothing.
 */
export interface WalletPoll {
  venue: string
  lookedAt: number
  /** Of the sending owner, see BookUpdate. */
  epoch?: number
  part?: string
}

/** `reason` of the event recording that a polled book's trades were read for the tape up to that time. */
export const recordsTrades = 'trades are read'
/** `reason` of the event recording that a book's full depth is taped from that time on. */
export const recordsDepth = 'full depth is taped'
/** The reason of a gap that a process could not record because it ended. */
export const writerEnded = 'the previous writer ended without notice'
/**
 * The `outcomeId` of the event by which an owner takes over a venue, or the part named by `reason`. What was open there before and is not opened
 * again was left by an owner that died, and is not watched.
 */
export const takeoverMarker = ''

/** A change in the coverage of an outcome's tape. */
export interface CoverageEvent {
  venue: string
  outcomeId: string
  kind: 'opened' | 'gap' | 'resumed' | 'closed'
  mechanism: Coverage['mechanism']
  effectiveIntervalMs: number | null
  reason: string | null
  at: number
  /** Of the sending owner, see BookUpdate. */
  epoch?: number
  part?: string
}

/**
 * The markets that one gateway, surface or trigger engine wants watched. Repeated every `demandRenewMs`; a sender silent for three times that long
 * has no demand.
 */
export interface Demand {
  gatewayId: string
  venue: string
  /** The complete set this sender now wants from that venue. */
  marketIds: string[]
  /**
   * What they are for; absent: readers. When a venue cannot be read as often as all demand requires, readers come
   * first.
   */
  purpose?: 'readers' | 'surface' | 'triggers'
  /**
   * The subset of `marketIds` that ranks even before readers: legs of executable or nearly executable rows, nearest first; books of armed
   * orders.
   */
  near?: string[]
  /** Where the sender reads books and trades: a partition of their topics. Absent: it reads none, or there is only one process. */
  inbox?: number
  /**
   * Positions in `marketIds` of those of which the sender holds no book, or one that it does not trust: they are published again. Repeated
   * until it has them.
   */
  lacking?: number[]
  at: number
}

/** Among the markets of a demand: every book of the venue that is watched, now and later. It starts no watching. */
export const everyMarket = '*'

export interface MarketStatusChange {
  venue: string
  marketId: string
  status: MarketStatus
  tickSize: number | null
  at: number
}

/** Quiet books that were compared with the venue's own and found equal. At most one message per second and venue. */
export interface BookVerification {
  venue: string
  /** Of the ingest process and of the proven update: a reader holding a different one ignores this. */
  epoch: number
  part?: string
  books: [marketId: string, seq: number][]
  /** When the venue was read, epoch ms. */
  at: number
}

/** How a background job is doing, for /v1/status. Sent after every run of it, and again every `jobReportMs`. */
export interface JobReport {
  job: 'catalog' | 'matcher'
  /** Null for a job of all venues. */
  venue: string | null
  /** `fieldsLost`, `rowsLost`: many fields or rows of the last catalog walk could not be read. `failing`: its runs fail. */
  state: 'ok' | 'fieldsLost' | 'rowsLost' | 'failing'
  /** Null when `ok`. */
  reason: string | null
  /** End of its last run, epoch ms. */
  at: number
}

/** A field of a venue that differs from what is known of it. Times in epoch ms. */
export interface DriftFinding {
  field: string
  kind: DriftKind
  count: number
  firstAt: number
  lastAt: number
}

/** What one process has found at a venue since it started. Sent when there is something new, and again every `jobReportMs`. */
export interface DriftReport {
  venue: string
  senderId: string
  /** At most `driftListedMax`. */
  findings: DriftFinding[]
  at: number
}

export const driftListedMax = 50

/** Connection state of a venue, for /v1/status. */
export interface VenueStatus {
  venue: string
  connection: 'connected' | 'degraded' | 'connecting' | 'polling' | 'unreachable' | 'idle'
  lastMessageAt: number | null
  lagMs: number | null
  watchedBooks: number
  staleBooks: number
  sockets: number
  reason: string | null
  /** A leg is executable only if its book was proven within this time, ms. */
  legProofMs: number
  /** Every watched book is currently proven within this time, ms, by its own message or by comparison, or marked stale; null: no book is watched. */
  provenWithinMs: number | null
  /** Age of the oldest proof among the live books, ms; null when none is live. */
  oldestProofMs: number | null
  /** For trades read from a chain: measured latency from block to reader, ms; null: not measured yet. */
  tradesLatencyMs?: number | null
  /** How many of `staleBooks` have each reason; absent: an earlier version sent it. */
  staleReasons?: Partial<Record<StaleReason, number>>
  at: number
}

/** The heartbeat of a venue's owner, every `healthMs`: readers trust its books while it beats. */
export interface VenueHealth extends VenueStatus {
  /** Of the owner, see BookUpdate. */
  epoch: number
  part?: string
}

/** Heartbeat of a compute process, every `surfaceBeatMs`. The processes with a recent heartbeat split the clusters among them. */
export interface SurfaceHeartbeat {
  memberId: string
  /** `withheld`: its worker is gone; its rows are hidden until it has resent all of them. `leaving`: it is stopping. */
  state: 'up' | 'withheld' | 'leaving'
  /** Term of its lease while it is the sequencer, else null. */
  term: number | null
  at: number
}

/** The fields of an arbitrage row that filters read, sent in addition to its bytes. */
export interface SurfaceRowHead {
  /** `<clusterId>:<venueA>:<venueB>` */
  key: string
  /** Length of the row's JSON in `body`, bytes. */
  size: number
  executable: boolean
  venueA: string
  venueB: string
  /** Micro-dollars; null when unpriceable. */
  netMicros: number | null
  /** Millionths; null when a side has no price. */
  spreadMicros: number | null
  matchBand: string
}

/** Changed rows of one compute process, for the sequencer. */
export interface SurfaceRows {
  memberId: string
  /** Increases by one with every message of the member: a gap means a message was lost. */
  n: number
  /** A resend of all rows: `begin` voids everything sent before, `end` completes it. Null: changes only. */
  whole: 'begin' | 'part' | 'end' | 'only' | null
  computedAt: number
  rows: SurfaceRowHead[]
  removes: string[]
  /** The rows' JSON, concatenated in the order of `rows`. */
  body: Buffer
}

/**
 * What the single sequencer sends to all gateways. Frames of several messages share a seq and are consecutive; `part` counts
 * from 1.
 */
export interface SurfaceFrame {
  /** Increases with every change of sequencer; frames of an older term are void. */
  term: number
  /** `delta`: changes since `prev`. `state`: all rows as of `seq`. `beat`: no change; the sequencer is alive at `seq`. */
  kind: 'delta' | 'state' | 'beat'
  seq: number
  /** A full recomputation or an interval ended: subscribers are notified even when nothing changed. */
  pass: boolean
  /** Seq of the previous delta. A reader at another seq has missed something and asks for the state. */
  prev: number
  /** Subscribers get a full snapshot, under seq − 1, before this delta. */
  snapshot: boolean
  part: { i: number; last: boolean }
  computedAt: number
  publishedAt: number
  intervalMs: number
  contracts: number
  limit: number
  rows: SurfaceRowHead[]
  removes: string[]
  body: Buffer
}

/** `state`: a gateway has missed something. `rows`: the sequencer lacks this member's rows. */
export interface SurfaceRequest {
  want: 'state' | 'rows'
  /** The requesting member or, for `rows`, the requested one; null: all. */
  memberId: string | null
}

/** A gateway's query for rows at a size other than the published one; every compute process answers for its share. */
export interface SurfaceQuestion {
  id: string
  contracts: number
  /** Filters and limit, as in the HTTP read. */
  query: Readonly<Record<string, unknown>>
}

/** A piece of one process' answer: a JSON array of rows, best first, split at arbitrary bytes. */
export interface SurfaceAnswer {
  id: string
  memberId: string
  /** From 1. */
  part: { i: number; last: boolean }
  rows: SurfaceRowHead[]
  body: Buffer
}

/** A period in which one row of the surface was executable. Resent while it lasts: the newest `lastSeen` wins. */
export interface ArbitrageRecord {
  /** `<clusterId>:<venueA>:<venueB>` */
  rowId: string
  venueYes: string
  venueNo: string
  /** Epoch ms. */
  firstSeen: number
  lastSeen: number
  ended: boolean
  /** Best net edge of the period, micro-dollars for the surface's contract count, and when it occurred. */
  bestEdgeMicros: number
  bestAt: number
  /** The row as published at that time, JSON. */
  best: string
}

/** What the one process that searches structures sends to all gateways. */
export interface StructureFrame {
  /** Of its lease; messages of an older term are void. */
  term: number
  memberId: string
  /** Increases by one with every message of the member: a gap means a message was lost. */
  n: number
  /** `state`: all rows, in parts. `delta`: changes. `beat`: no change; it is alive. */
  kind: 'state' | 'delta' | 'beat'
  /** False: its worker is gone and nothing may be shown. */
  up: boolean
  part: { i: number; last: boolean }
  /** Epoch ms; null: nothing has been searched yet. */
  computedAt: number | null
  rows: StructureRow[]
  removes: string[]
  counts: StructureCounts
}

export interface TopicValues {
  books: BookUpdate
  trades: TradeUpdate
  tape: TapeBatch
  coverage: CoverageEvent
  withdrawals: TradeWithdrawal
  walletTrades: WalletTrade | WalletPoll
  arbitrageRecords: ArbitrageRecord
  demand: Demand
  marketStatus: MarketStatusChange
  proofs: BookVerification
  health: VenueHealth
  jobReports: JobReport
  drift: DriftReport
  surfaceBeats: SurfaceHeartbeat
  surfaceRows: SurfaceRows
  surfaceFrames: SurfaceFrame
  surfaceAsks: SurfaceRequest
  surfaceQuestions: SurfaceQuestion
  surfaceAnswers: SurfaceAnswer
  structureFrames: StructureFrame
  /** Asks for the whole state; with `reading`, only reports that this gateway has readers of structures. */
  structureAsks: { memberId: string; reading?: true }
}
export type TopicName = keyof TopicValues
export type Delivery = 'broadcast' | 'shared' | 'inbox'
/** Topics whose messages go only to processes that demand their market. */
export type InboxTopic = 'books' | 'trades'

/**
 * Keys are `<venue>:<marketId>` or `<venue>:<outcomeId>`: everything about one book or outcome stays in one partition, which keeps its
 * order. `broadcast`: every reader gets every message. `shared`: readers of one group split the partitions. `inbox`: every reading process has
 * a partition of its own, and gets what it demands.
 */
export const topics = {
  // More partitions than processes that read books; with fewer, some share one and read each other's messages.
  books: { name: 'crossbook.books.v2', delivery: 'inbox', partitions: 32 },
  trades: { name: 'crossbook.trades.v2', delivery: 'inbox', partitions: 32 },
  tape: { name: 'crossbook.tape.v1', delivery: 'shared', partitions: 12 },
  coverage: { name: 'crossbook.coverage.v1', delivery: 'shared', partitions: 3 },
  withdrawals: { name: 'crossbook.withdrawals.v1', delivery: 'shared', partitions: 3 },
  /** Key: the venue, so that a progress mark stays behind the trades it covers. */
  walletTrades: { name: 'crossbook.wallet-trades.v1', delivery: 'shared', partitions: 3 },
  /** Key: the row's id, so that one period's records stay in order. */
  arbitrageRecords: { name: 'crossbook.arbitrage-records.v1', delivery: 'shared', partitions: 3 },
  demand: { name: 'crossbook.demand.v1', delivery: 'broadcast', partitions: 1 },
  marketStatus: { name: 'crossbook.market-status.v1', delivery: 'broadcast', partitions: 1 },
  proofs: { name: 'crossbook.proofs.v1', delivery: 'broadcast', partitions: 1 },
  health: { name: 'crossbook.health.v1', delivery: 'broadcast', partitions: 1 },
  jobReports: { name: 'crossbook.job-reports.v1', delivery: 'broadcast', partitions: 1 },
  drift: { name: 'crossbook.drift.v1', delivery: 'broadcast', partitions: 1 },
  surfaceBeats: { name: 'crossbook.surface-beats.v1', delivery: 'broadcast', partitions: 1 },
  // One partition each: its order is the sequence.
  surfaceRows: { name: 'crossbook.surface-rows.v1', delivery: 'broadcast', partitions: 1 },
  surfaceFrames: { name: 'crossbook.surface-frames.v1', delivery: 'broadcast', partitions: 1 },
  surfaceAsks: { name: 'crossbook.surface-asks.v1', delivery: 'broadcast', partitions: 1 },
  surfaceQuestions: { name: 'crossbook.surface-questions.v1', delivery: 'broadcast', partitions: 1 },
  surfaceAnswers: { name: 'crossbook.surface-answers.v1', delivery: 'broadcast', partitions: 1 },
  structureFrames: { name: 'crossbook.structure-frames.v1', delivery: 'broadcast', partitions: 1 },
  structureAsks: { name: 'crossbook.structure-asks.v1', delivery: 'broadcast', partitions: 1 },
} as const satisfies Record<TopicName, { name: string; delivery: Delivery; partitions: number }>

/** How often an owner announces that it feeds its venue. Readers consider it gone after `ownerTimeoutMs` of silence. */
export const healthMs = 1_000
export const ownerTimeoutMs = 10_000

/** A report that has not been repeated for several of these counts no more. */
export const jobReportMs = 10_000

/** Demand is renewed this often and dropped after three missed renewals. */
export const demandRenewMs = 5_000

/** How often a compute process sends its heartbeat; it is considered dead after `surfaceTimeoutMs` of silence. */
export const surfaceBeatMs = 500
export const surfaceTimeoutMs = 2_500

/** Structures count as read for this long after a request; a gateway with readers reports so every `surfaceBeatMs`. */
export const structuresReadMs = 60_000

/**
 * Stale reason of a polled book that lost its turn to more urgent ones. Its next reader makes it urgent, so readers wait for it and no
 * staleness is announced.
 */
export const notPolledReason = 'not_polled' satisfies StaleReason

/** Stale reason of a book that nothing feeds any more, or that no longer goes to this reader: its next reader waits for it. */
export const unwatchedReason = 'unwatched' satisfies StaleReason
