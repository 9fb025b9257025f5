// What travels between roles: topic names, keys (and why that key keeps order) and values. Producers and consumers both import this file.
import type { Coverage, MarketStatus } from './market.ts'
import type { StructureCounts, StructureRow } from './structures.ts'

/** A complete book as of one instant, encoded once by ingest and never parsed again on its way to a socket. */
export interface BookUpdate {
  venue: string
  /** Stream market id: polymarket token id, kalshi ticker. */
  marketId: string
  /** `live`: `core` is the newest book. `stale`: `core` must not be treated as fresh until the next live update. */
  state: 'live' | 'stale'
  /** Why it is stale: `gap`, `crossed`, `best_mismatch`, `silence`, `disconnected`, `resync`. */
  staleReason?: string
  /** Rises within one `epoch`. */
  seq: number
  /** Number of the owner that says it: rises with every change of who feeds the venue, over all processes. A lower one's word is void. */
  epoch: number
  /** Venue event time, epoch ms, null when the venue gives none. */
  eventTs: number | null
  /** When the bytes reached us, epoch ms. */
  recvTs: number
  /** When the venue was last asked and had the same book, epoch ms; absent where that was not after `recvTs`. */
  provenAt?: number
  /** `{"bids":[…],"asks":[…],"timestamp":N` without the closing brace: readers append what their frame needs. UTF-8. */
  core: Buffer
  /** Last public trade price in micros, null when unknown. */
  lastTradeMicros: number | null
  /** When that was, by the venue's clock, epoch ms; absent where the venue does not say. */
  lastTradeTs?: number
  /**
   * How often the book was not to be believed since its owner opened it: another number than in the update before, and readers of both saw
   * two books with a break between them. Absent: not counted.
   */
  breaks?: number
}

/** Trade as the stream's `data` carries it. Absent venue fields are null, never made up. */
export interface TradeData {
  id: string
  /** ISO time of the trade. */
  time: string
  /** Epoch ms. */
  timestamp: number
  /** Taker's direction, capitalised as users know it: Buy, Sell, Unknown. */
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
  /** Outcome whose price `data.price` is. */
  outcomeId: string
  data: TradeData
  recvTs: number
  /** Absent: the venue's own tape. */
  provenance?: 'chain-scan'
  /** Of the owner that says it, see BookUpdate. */
  epoch?: number
}

/** A trade that was told and taped, and then left its chain: it never happened. */
export interface TradeWithdrawal {
  venue: string
  outcomeId: string
  tradeId: string
  /** Epoch ms. What was received later counts: its block came back. */
  at: number
  /** Of the owner that says it, see BookUpdate. */
  epoch?: number
}

/** One top-of-book row for the tape. Prices in micros; null where that side is empty. Sizes in contracts or shares. */
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

/** Tape rows of one outcome in order. One batch is one bus message. */
export interface TapeBatch {
  venue: string
  outcomeId: string
  /** Of the owner that says it, see BookUpdate. Absent: there is only one possible owner. */
  epoch?: number
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
 * What a change of full depth says. `start`: a whole book; what it was since the row before is unknown. `snapshot`: the book as it stands anyway.
 * `delta`: levels that changed. `same`: nothing did, and the book is live. `gap`: from here on the book is unknown.
 */
export type DepthType = 'start' | 'snapshot' | 'delta' | 'same' | 'gap'

/** One change of a book, full depth. Venue and outcome are the batch's. */
export interface TapeDepthRow {
  type: DepthType
  /** As a TopOfBookRow has it. */
  ts: number
  /** When it was known, epoch ms: never before that of the change before. */
  recvTs: number
  /** Rises by one with each change of the book, within the owner's epoch. */
  seq: number
  /** Levels and what stands there now (0: nothing), bids first; parallel. */
  micros: number[]
  sizes: number[]
  /** So many of them are bids. */
  bids: number
}

/** A trade that proves who made it: for the record of traders. At least one of the two wallets is known. */
export interface WalletTrade {
  venue: string
  /** As the tape has it: the book's own outcome. */
  outcomeId: string
  tradeId: string
  ts: number
  recvTs: number
  priceMicros: number | null
  size: number
  /** Of `wallet`; the counterparty's is the other one. */
  side: 'buy' | 'sell'
  usd: number | null
  wallet: string | null
  counterparty: string | null
  /** Of the owner that says it, see BookUpdate. */
  epoch?: number
}

/**
 * The reader of a venue's trades has looked: what was traded up to `lookedAt` (epoch ms) where it looks was said before this. Said also while nothing is
 * traded, because silence alone proves nothing.
 */
export interface WalletLook {
  venue: string
  lookedAt: number
  /** Of the owner that says it, see BookUpdate. */
  epoch?: number
}

/** A change in what the tape of an outcome can promise. */
/** `reason` of the event that says that a polled book's trades were read for the tape up to then. */
export const tradesTaped = 'trades are read'
/** `reason` of the event that says that a book's full depth is taped from then on. */
export const depthTaped = 'full depth is taped'

export interface CoverageEvent {
  venue: string
  outcomeId: string
  kind: 'opened' | 'gap' | 'resumed' | 'closed'
  mechanism: Coverage['mechanism']
  effectiveIntervalMs: number | null
  reason: string | null
  at: number
  /** Of the owner that says it, see BookUpdate. */
  epoch?: number
}

/** What one gateway, one surface or one trigger engine wants watched. Repeated every `demandRenewMs`; a gateway that falls silent for three times that long wants nothing. */
export interface Demand {
  gatewayId: string
  venue: string
  /** The complete set this gateway wants of that venue now. */
  marketIds: string[]
  /** Whom they are for, absent: readers. Where a venue cannot be read as often as all want, readers come first. */
  purpose?: 'readers' | 'surface' | 'triggers'
  /** Of `marketIds`, what comes even before readers: legs of rows that are executable or nearly so, the nearest first; books of armed orders. */
  near?: string[]
  at: number
}

export interface MarketStatusChange {
  venue: string
  marketId: string
  status: MarketStatus
  tickSize: number | null
  at: number
}

/** Quiet books that were compared with the venue's own and found the same. At most one message a second and venue. */
export interface BookProofs {
  venue: string
  /** Of the ingest process, and of the update that was proven: who holds another one learns nothing. */
  epoch: number
  books: [marketId: string, seq: number][]
  /** When the venue was asked, epoch ms. */
  at: number
}

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
  /** A leg is executable only while its book was proven within this time, ms. */
  legProofMs: number
  /** Every watched book is proven within this time as things are, ms, by a message of its own or by a comparison, or called stale; null: no book is watched. */
  provenWithinMs: number | null
  /** Age of the oldest proof among live books now, ms; null when none is live. */
  oldestProofMs: number | null
  /** Where trades are read off a chain: from a block to its readers, measured, ms; null: not yet. */
  tradesLatencyMs?: number | null
  at: number
}

/** The heartbeat of a venue's owner, every `healthMs`: why its books may be believed. */
export interface VenueHealth extends VenueStatus {
  /** Of the owner, see BookUpdate. */
  epoch: number
}

/** A compute process says that it lives, every `surfaceBeatMs`. Those heard lately split the clusters among them. */
export interface SurfaceBeat {
  memberId: string
  /** `withheld`: its worker is gone, its rows are not to be shown until it has sent all of them anew. `leaving`: it stops now. */
  state: 'up' | 'withheld' | 'leaving'
  /** Of its lease while it keeps the sequence, else null. */
  term: number | null
  at: number
}

/** One arbitrage row beside its bytes: what filters look at. */
export interface SurfaceRowHead {
  /** `<clusterId>:<venueA>:<venueB>` */
  key: string
  /** Bytes of the row's JSON in `body`. */
  size: number
  executable: boolean
  venueA: string
  venueB: string
  /** Micro-dollars, null when unpriceable. */
  netMicros: number | null
  /** Millionths, null when a side has no price. */
  spreadMicros: number | null
  matchBand: string
}

/** Rows of one compute process that changed, for the keeper of the sequence. */
export interface SurfaceRows {
  memberId: string
  /** Rises by one with every message of the member: a hole means that something was lost. */
  n: number
  /** All its rows are sent: `begin` voids what it said before, `end` is the last of them. Null: changes. */
  whole: 'begin' | 'part' | 'end' | 'only' | null
  computedAt: number
  rows: SurfaceRowHead[]
  removes: string[]
  /** The rows' JSON one after another, in the order of `rows`. */
  body: Buffer
}

/** What the one sequencer tells all gateways. Frames of several messages share a seq and come in a row; `part` counts from 1. */
export interface SurfaceFrame {
  /** Rises with every change of the sequencer; an older one's word is void. */
  term: number
  /** `delta`: what changed since `prev`. `state`: all rows as of `seq`. `beat`: nothing, but the sequencer lives and stands at `seq`. */
  kind: 'delta' | 'state' | 'beat'
  seq: number
  /** Everything was recomputed, or the interval is over: subscribers are told that, also when nothing changed. */
  pass: boolean
  /** Seq of the delta before. Who is not there has missed something and asks for the state. */
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

/** `state`: a gateway has missed something. `rows`: the sequencer lacks what this member has. */
export interface SurfaceAsk {
  want: 'state' | 'rows'
  /** Who asks, or, for `rows`, who is asked; null: all. */
  memberId: string | null
}

/** A gateway asks for rows of another size than the published one; every compute process answers for its share. */
export interface SurfaceQuestion {
  id: string
  contracts: number
  /** Filters and limit, as the read has them. */
  query: Readonly<Record<string, unknown>>
}

/** A piece of one process' answer: a JSON array of rows, best first, cut anywhere. */
export interface SurfaceAnswer {
  id: string
  memberId: string
  /** From 1. */
  part: { i: number; last: boolean }
  rows: SurfaceRowHead[]
  body: Buffer
}

/** A stretch in which one row of the surface was executable. Told again while it lasts: the newest `lastSeen` stands. */
export interface ArbitrageRecord {
  /** `<clusterId>:<venueA>:<venueB>` */
  rowId: string
  venueYes: string
  venueNo: string
  /** Epoch ms. */
  firstSeen: number
  lastSeen: number
  ended: boolean
  /** Best net edge of the stretch, micro-dollars for the contracts of the surface, and when it stood. */
  bestEdgeMicros: number
  bestAt: number
  /** The row as published then, JSON. */
  best: string
}

/** What the one process that searches structures tells all gateways. */
export interface StructureFrame {
  /** Of its lease; an older one's word is void. */
  term: number
  memberId: string
  /** Rises by one with every message of the member: a hole means that something was lost. */
  n: number
  /** `state`: all rows, in parts. `delta`: what changed. `beat`: nothing, but it lives. */
  kind: 'state' | 'delta' | 'beat'
  /** False: its worker is gone, nothing may be shown. */
  up: boolean
  part: { i: number; last: boolean }
  /** Epoch ms; null: nothing was searched yet. */
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
  walletTrades: WalletTrade | WalletLook
  arbitrageRecords: ArbitrageRecord
  demand: Demand
  marketStatus: MarketStatusChange
  proofs: BookProofs
  health: VenueHealth
  surfaceBeats: SurfaceBeat
  surfaceRows: SurfaceRows
  surfaceFrames: SurfaceFrame
  surfaceAsks: SurfaceAsk
  surfaceQuestions: SurfaceQuestion
  surfaceAnswers: SurfaceAnswer
  structureFrames: StructureFrame
  /** For the whole state; `reading`: the structures are read at this gateway, and nothing is asked for. */
  structureAsks: { memberId: string; reading?: true }
}
export type TopicName = keyof TopicValues

/**
 * Keys are `<venue>:<marketId>` or `<venue>:<outcomeId>`: everything about one book or outcome stays in one partition, so its order holds.
 * `broadcast`: every reader sees every message. `shared`: readers of one group split the partitions.
 */
export const topics = {
  books: { name: 'crossbook.books.v1', delivery: 'broadcast', partitions: 12 },
  trades: { name: 'crossbook.trades.v1', delivery: 'broadcast', partitions: 12 },
  tape: { name: 'crossbook.tape.v1', delivery: 'shared', partitions: 12 },
  coverage: { name: 'crossbook.coverage.v1', delivery: 'shared', partitions: 3 },
  withdrawals: { name: 'crossbook.withdrawals.v1', delivery: 'shared', partitions: 3 },
  /** Key: the venue, so that a look stays behind the trades it speaks of. */
  walletTrades: { name: 'crossbook.wallet-trades.v1', delivery: 'shared', partitions: 3 },
  /** Key: the row's id, so that a stretch's records stay in order. */
  arbitrageRecords: { name: 'crossbook.arbitrage-records.v1', delivery: 'shared', partitions: 3 },
  demand: { name: 'crossbook.demand.v1', delivery: 'broadcast', partitions: 1 },
  marketStatus: { name: 'crossbook.market-status.v1', delivery: 'broadcast', partitions: 1 },
  proofs: { name: 'crossbook.proofs.v1', delivery: 'broadcast', partitions: 1 },
  health: { name: 'crossbook.health.v1', delivery: 'broadcast', partitions: 1 },
  surfaceBeats: { name: 'crossbook.surface-beats.v1', delivery: 'broadcast', partitions: 1 },
  // One partition each: their order is the sequence.
  surfaceRows: { name: 'crossbook.surface-rows.v1', delivery: 'broadcast', partitions: 1 },
  surfaceFrames: { name: 'crossbook.surface-frames.v1', delivery: 'broadcast', partitions: 1 },
  surfaceAsks: { name: 'crossbook.surface-asks.v1', delivery: 'broadcast', partitions: 1 },
  surfaceQuestions: { name: 'crossbook.surface-questions.v1', delivery: 'broadcast', partitions: 1 },
  surfaceAnswers: { name: 'crossbook.surface-answers.v1', delivery: 'broadcast', partitions: 1 },
  structureFrames: { name: 'crossbook.structure-frames.v1', delivery: 'broadcast', partitions: 1 },
  structureAsks: { name: 'crossbook.structure-asks.v1', delivery: 'broadcast', partitions: 1 },
} as const satisfies Record<TopicName, { name: string; delivery: 'broadcast' | 'shared'; partitions: number }>

/** An owner says this often that it feeds its venue. Readers take it for gone after `ownerSilentMs` without a word. */
export const healthMs = 1_000
export const ownerSilentMs = 10_000

/** Demand is renewed this often and forgotten after three missed renewals. */
export const demandRenewMs = 5_000

/** A compute process says this often that it lives, and is taken for dead after `surfaceSilentMs` without a word. */
export const surfaceBeatMs = 500
export const surfaceSilentMs = 2_500

/** Structures count as read for this long after a request; a gateway that has readers says so every `surfaceBeatMs`. */
export const structuresReadMs = 60_000

/** Why a polled book is stale that more urgent ones left no time for. Its next reader makes it urgent: so it is waited for, not announced. */
export const notReadReason = 'not read in time'
