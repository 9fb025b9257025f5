// What a venue folder exports. Absence means no support: `has`, the 501s and coverage are derived from this value, so there is no second
// table to keep in sync.

import type { AbiEvent } from 'viem'
import type { RequestBudget } from '#net/hostRateLimiter'
import type { MarketFees } from '#schemas/fees'
import type { Event, Market, MarketStatus, Series } from '#schemas/market'
import type { Candle, Trade } from '#schemas/marketData'
import type { StaleReason } from '#schemas/staleReason'
import type { TradeUpdate } from '#schemas/topics'
import type { MetricUnit, PublishedMetricName } from '#schemas/venueMetrics'
import type { VenueSlug, Volume24hSource, Volume24hUnit } from '#schemas/venues'
import type { ExecutionAdapter, StatusLane } from './lane.ts'
import type { OptionPrices } from './optionPrices.ts'
import type { VenueTraders } from './traderData.ts'
import type { ChainEvent, VenueContext } from './venueContext.ts'

export interface VenueManifest {
  slug: VenueSlug
  /** Display name. */
  title: string
  /** Default base URLs, including the lane's. Each is overridden by CROSSBOOK_<VENUE>_<NAME>_URL. */
  urls: Readonly<Record<string, string>>
  /** Names read from CROSSBOOK_<VENUE>_<NAME>, all or none. */
  credentialNames: readonly string[]
  /** The whole process' own rate limit at each of its hosts, below the venue's limits; defaults to `data.requestsPerSecond`. */
  budget?: RequestBudget
  volume24h: { source: Volume24hSource; unit: Volume24hUnit } | false
  /** Absent: the payment token of its orders is undocumented, not on a chain, or differs by market. */
  deposit?: Deposit
  data: VenueData
  /** What it publishes about its traders. */
  traders?: VenueTraders
  /** Its order entry. */
  exec?: ExecutionAdapter
  /** Reads of orders that were not built here. */
  status?: StatusLane
}

/**
 * Where an owner's money must be in order to trade: on this chain, at the owner's own address. The bridge brings it there.
 */
export interface Deposit {
  /** CAIP-2. */
  chain: string
  /** Of the token, as the chain writes it. */
  token: string
  symbol: string
  /** Of the token on an EVM chain; null on another, where amounts are decimal. */
  decimals: number | null
  /** What remains to be done once it is there, for readers, in a sentence. Absent: nothing. */
  afterwards?: string
}

/** A page of the catalog walk: whole events with their markets; later pages may repeat an event, the newest wins. */
export interface CatalogPage {
  events: Event[]
  series: Series[]
}

/**
 * How an outcome reads its book. `bookId` is the stream market id. `complement`: this outcome is the other side of that one book
 * (its bids are 1 − asks), false when the venue keeps a separate book for the outcome.
 */
export interface BookRef {
  bookId: string
  complement: boolean
}

/** A book as read over REST: parallel arrays in any order, prices in micros of the *book's* own outcome. */
export interface BookSnapshot {
  bookId: string
  bids: SnapshotLevel[]
  asks: SnapshotLevel[]
  /** Venue time, epoch ms, null when it gives none. */
  eventTs: number | null
  recvTs: number
  lastTradeMicros: number | null
  isNegRisk: boolean | null
  tickMicros: number | null
}
export type SnapshotLevel = [priceMicros: number, size: number]

export interface TradesQuery {
  startMs?: number
  endMs?: number
  limit: number
}

/**
 * Aligned to the epoch. With a start the oldest `limit` from there on, without one the newest up to the end; of buckets that start in the range.
 */
export interface CandlesQuery {
  /** Bucket length in ms, one of `candleResolutionsMs`. */
  resolutionMs: number
  startMs?: number
  endMs?: number
  limit: number
}

/** An outcome's place in the catalog; enough to ask the venue about it. */
export interface OutcomeRef {
  outcomeId: string
  marketId: string
  eventId: string | null
  /** `series` etc. as the venue's normalizer put them into `Market.sourceMetadata`. */
  metadata: Readonly<Record<string, unknown>>
}

export const defaultRequestsPerSecond = 10

/** Contracts: orders are whole multiples of `step`, and at least `minimum`. */
export interface OrderSizes {
  step: number
  minimum: number
  /** Minimum cost of a marketable order; absent when the venue has no such rule. */
  minimumDollars?: number
  /** Minimum cost of as many contracts of the other answer, at one minus the order's price; absent likewise. */
  minimumOtherDollars?: number
}

export interface VenueData {
  /** Missing operator configuration without which none of it can be read, as text; null when complete. Absent: nothing is required. */
  missing?(context: Pick<VenueContext, 'credentials'>): string | null
  /** Walks the whole catalog to its end. `updatedSinceMs` narrows it if the venue can. */
  walkCatalog(context: VenueContext, options: { updatedSinceMs: number | null }): AsyncIterable<CatalogPage>
  /** One market by venue-native id with its event; null when the venue does not know it. */
  fetchMarket(context: VenueContext, marketId: string): Promise<{ market: Market; event: Event | null } | null>
  /** Several by id, in fewer requests than one each. Unknown ones are absent from the result. */
  fetchMarkets?(context: VenueContext, marketIds: readonly string[]): Promise<Map<string, Market>>
  /** One event with all its markets in their current state, even if ended; null when the venue does not know it. */
  fetchEvent?(context: VenueContext, eventId: string): Promise<Event | null>
  /**
   * Pure: how this outcome id maps to its book; null when the id cannot be one of this venue's. `marketId` disambiguates ids with two
   * readings (a kalshi ticker may itself end in `-NO`).
   */
  bookRef(outcomeId: string, marketId?: string): BookRef | null
  /** Pure: whether this book is derived from a pool or a spot price. Absent: no book of the venue is, unless all are (`hasEmulatedBooks`). */
  isSynthetic?(bookId: string): boolean
  /** Pure: a market's book by the venue's own name of it, when no outcome has that id; null for an invalid name. */
  marketBook?(marketId: string): BookRef | null
  /** Pure: a taker's costs in this market, from its own catalog row. What the row does not say is `unknown`, never zero. */
  feeModel(market: Pick<Market, 'sourceMetadata'>): MarketFees
  /** Pure: a market's order sizes, contracts. Absent or null: undocumented, or dependent on the price. */
  orderSizes?(market: Pick<Market, 'sourceMetadata'>): OrderSizes | null
  /** Null when the venue has no such book. */
  fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null>
  /** Unknown books are absent from the result. */
  fetchOrderBooks?(context: VenueContext, bookIds: readonly string[]): Promise<Map<string, BookSnapshot>>
  fetchTrades?(context: VenueContext, outcome: OutcomeRef, query: TradesQuery): Promise<Trade[]>
  /**
   * For venues whose trades are only on their contracts. Needs the operator's nodes, `CROSSBOOK_<VENUE>_RPC_URL`, a comma-separated
   * list.
   */
  chainTrades?: ChainTrades
  /**
   * For venues whose trades are visible before their block. Needs the operator's own node that forwards pending transactions:
   * `CROSSBOOK_POLYGON_WS_URL`.
   */
  pendingTrades?: PendingTrades
  fetchCandles?(context: VenueContext, outcome: OutcomeRef, query: CandlesQuery): Promise<Candle[]>
  candleResolutionsMs?: readonly number[]
  /** Public open orders of any account. Absent: the venue shows them only to their owner. */
  openOrders?: PublicOpenOrders
  /** Prices without an order book. Absent: all its markets have one. */
  optionPrices?: OptionPrices
  /** Venue-level figures that the venue publishes. Absent: none documented. */
  fetchMetrics?(context: VenueContext): Promise<PublishedMetric[]>
  /** The live feed, when the venue has one. Without it (or without the credentials it needs) ingest polls `fetchOrderBook`. */
  stream?: VenueStream
  /** Book reads per second that ingest plans with; defaults to `defaultRequestsPerSecond`. */
  requestsPerSecond?: number
  /** Polling cadence when there is no usable stream. */
  poll: {
    intervalMs: number
    concurrency: number
    /**
     * Minimum time between two reads of trades for the tape; absent: trades are taped from the stream or not at all. Also used with a
     * stream that has no trades.
     */
    tradesEveryMs?: number
  }
}

/** Whether the live feed brings trades as they happen. */
export const streamsTrades = ({ stream }: { stream?: VenueStream | undefined }): boolean =>
  stream !== undefined && stream.hasTrades !== false

/** Trades from chain logs: only events whose shape and meaning are known. */
export interface ChainTrades {
  /** The required `eth_chainId` of every node. */
  chainId: number
  /** Blocks required on top before a block is reported. */
  confirmations: number
  /** Usual time between blocks. */
  blockMs: number
  events: readonly AbiEvent[]
  /** Contracts whose logs are trades of this market; none when its row does not say. */
  contractsOf(market: Market): readonly string[]
  /** Pure. Null: not a trade of this market. */
  tradeOf(market: Market, event: ChainEvent): ChainTrade | null
  /** For readers, in a sentence: what this tape contains, and what it does not. */
  completeness: string
}

export interface ChainTrade {
  /** Its book, in whose own outcome the trade is expressed. */
  bookId: string
  priceMicros: number | null
  shares: number
  /** The taker's direction. */
  type: 'Buy' | 'Sell' | 'Unknown'
  /** When it is not price times shares. */
  usd?: number | null
  maker: string | null
  wallet: string | null
  counterparty: string | null
}

/** Trades from pending transactions. */
export interface PendingTrades {
  /** The required `eth_chainId` of the node. */
  chainId: number
  /** Contracts called for settlement, in lower case. */
  contracts: readonly string[]
  /** First topics of the logs of which every settlement emits one. */
  settledTopics: readonly string[]
  /** A settlement in no block after this long is given up. */
  timeoutMs: number
  /** Depth at which a block is final, for nodes that report no final block. */
  finalDepth: number
  /**
   * Pure, and fast for any input: the fills of one settlement, the taker's first, then the makers' in order. `to` and `input` in lower case. Null:
   * not a settlement, or one that cannot succeed.
   */
  fillsOf(to: string, input: string): PendingFill[] | null
  /** Pure: whether a settlement's log confirms its first fill as read before. `data`: of the log, lower-case hex. */
  agrees(fill: PendingFill, data: string): boolean
  /** For readers, in a sentence: what they include, and what they do not. */
  completeness: string
}

/** One order's part in a settlement. */
export interface PendingFill {
  /** Its book, in whose own outcome the fill is expressed. */
  bookId: string
  /** What the order does. */
  type: 'Buy' | 'Sell'
  shares: number
  usd: number
  /** Null: no shares. */
  price: number | null
  /** Null: several. */
  maker: string | null
  /** The order's owner. */
  wallet: string
  /** Null: several. */
  counterparty: string | null
}

/** Chain whose nodes its data is read at; undefined: none. */
export const readChainId = ({ data: { chainTrades, optionPrices } }: Pick<VenueManifest, 'data'>): number | undefined =>
  (chainTrades ?? optionPrices?.chain)?.chainId

/** Whether its trades can be read from its chain: the operator has a node. */
export const readsChain = ({ data }: Pick<VenueManifest, 'data'>, { urls }: Pick<VenueContext, 'urls'>): boolean =>
  data.chainTrades !== undefined && urls.RPC !== undefined

/** Whether open orders of its accounts can be read: from a chain this needs a node of the operator's. */
export const showsOpenOrders = (
  { openOrders }: Pick<VenueData, 'openOrders'>,
  { urls }: Pick<VenueContext, 'urls'>,
): boolean => openOrders !== undefined && (openOrders.source !== 'chain' || urls.RPC !== undefined)

/** Whether the stream can serve prices of its pools. */
export const showsOptionPrices = (
  { optionPrices }: Pick<VenueData, 'optionPrices'>,
  context: Pick<VenueContext, 'urls'>,
): boolean => optionPrices !== undefined && (optionPrices.missing?.(context) ?? null) === null

/** Whether the stream can serve the venue's trades: from its feed or its chain. */
export const reportsTrades = (manifest: Pick<VenueManifest, 'data'>, context: Pick<VenueContext, 'urls'>): boolean =>
  (manifest.data.fetchTrades !== undefined && streamsTrades(manifest.data)) || readsChain(manifest, context)

/** Whether ingest tapes the venue's trades: from its stream, or read over REST. */
export const hasTradesTape = (data: VenueData): boolean =>
  streamsTrades(data) || (data.fetchTrades !== undefined && data.poll.tradesEveryMs !== undefined)

/** From the venue itself, or from a tape of its trades. */
export const canHaveCandles = (data: VenueData): boolean => data.fetchCandles !== undefined || hasTradesTape(data)

/** An account's open orders that the venue, or its chain, shows publicly. */
export interface PublicOpenOrders {
  /** `chain`: derived from its contracts' logs, read at the operator's node. */
  source: 'venue_api' | 'chain'
  /** Maximum accounts this process reads per minute: the rest of the venue's allowance is left to the tape. */
  readsPerMinute: number
  /** Pure: the venue's spelling of the account; null for an invalid one. */
  accountOf(accountId: string): string | null
  /** All of them, in any order, none for an unknown account. A partial list is a fault. */
  fetch(context: VenueContext, account: string): Promise<PublicOpenOrdersRead>
}

export interface PublicOpenOrdersRead {
  orders: PublicOpenOrder[]
  /** The time of this state, epoch ms: the venue's if it gives one. */
  asOfMs: number
}

/** Price of the outcome as a probability, sizes in shares; null for anything not reported. */
export interface PublicOpenOrder {
  orderId: string
  marketId: string
  outcomeId: string | null
  side: 'buy' | 'sell'
  orderType: 'limit' | 'market' | 'other'
  limitPrice: number | null
  originalSize: number | null
  filledSize: number | null
  remainingSize: number | null
  status: string
  /** Epoch ms. */
  createdAtMs: number | null
  updatedAtMs: number | null
  raw: unknown
}

export interface PublishedMetric {
  metric: PublishedMetricName
  value: number
  unit: MetricUnit
  scope: 'venue' | 'listed'
  /** The read behind it, for readers: `GET /v2/oi`. */
  read: string
}

/** A venue's WebSocket seen as a pure protocol: no socket, no timers in here. */
export interface VenueStream {
  /** The token that the venue issues over REST for one connection, if it requires one. Fetched before each; a failed fetch is a failed connection. */
  fetchToken?(context: VenueContext): Promise<string>
  /**
   * Address and headers of the next connection; signed if the venue requires it. Null: not usable with this configuration, which is checked
   * without a token.
   */
  connect(context: VenueContext, token?: string): { url: string; headers: Record<string, string> } | null
  /** Maximum books per socket. */
  booksPerSocket: number
  /**
   * A socket with watched books that delivers no data (heartbeats do not count) for this long is considered frozen. Quiet markets do not justify
   * more than 15 s: before it elapses, one of them is compared with REST.
   */
  silenceMs: number
  /**
   * How long a wrong book may be served as live, at most, ms: until a silent market, a silent feed or a lost message is detected. Holds for
   * as many books with readers as can be compared in time (see `comparesPerSecond`).
   */
  stalenessMaxMs: number
  /**
   * Requests per second for comparing live books with the venue's own, over REST or on the socket. Absent: a quarter of
   * `requestsPerSecond`, at least one.
   */
  comparesPerSecond?: number
  /** Text we send at this interval, if the protocol wants one from the client. */
  heartbeat: { everyMs: number; text: string } | null
  /** The feed only has this many best levels per side: the venue's own book is compared no deeper. Absent: all levels. */
  levels?: number
  /**
   * Pure: false for a book that the venue has but the socket does not carry. It is polled, as without a stream; trades of all
   * books are read then (`hasTrades: false`). Absent: it carries all.
   */
  carries?(bookId: string): boolean
  /** True when `resync` is answered on the socket itself; an unanswered request then ends the connection. */
  resyncInBand: boolean
  /** True when one subscription yields every market of the venue. */
  firehose: boolean
  /** False when it carries no trades: they are read over REST for the tape, as without a stream, and cannot be subscribed to. */
  hasTrades?: false
  open(feed: FeedSink, token?: string): StreamSession
}

/** One connection's protocol state. Texts it returns are sent in order, as are those it passes to `feed.send`. */
export interface StreamSession {
  subscribe(bookIds: readonly string[]): string[]
  unsubscribe(bookIds: readonly string[]): string[]
  /** In-band request for a fresh snapshot; null when only REST has one. */
  resync(bookId: string): string[] | null
  /** In-band request for snapshots of healthy books, whose arrival proves them; null when only REST has them. */
  confirm(bookIds: readonly string[]): string[] | null
  /** True once this connection has sent anything about the book since it was last subscribed: the feed is up, whatever its quality. */
  feeds(bookId: string): boolean
  /**
   * True once this connection has delivered data about the book since it was last subscribed. Unlike `feeds`, an acknowledgement is not
   * enough.
   */
  delivers(bookId: string): boolean
  /** A REST snapshot was written into the book: the session now applies the changes it held back. */
  snapshotWritten?(bookId: string, recvTs: number): void
  /**
   * Applies one text frame to the books behind the feed. Never throws on venue input: garbage goes to `feed.malformed`.
   * True when the frame carried venue data (a book, trade, ticker …); false for heartbeats, acknowledgements and garbage.
   */
  receive(frame: Buffer, recvTs: number): boolean
}

export const BID = 0
export const ASK = 1
export type BookSide = typeof BID | typeof ASK

/** The write interface of one live book. Prices in micros, sizes in contracts or shares. */
export interface BookWriter {
  /**
   * Empties both sides; levels not in the snapshot are gone. `isRepeat`: the feed sends every change by itself, so that this whole book
   * differs from the one held only by changes that are on their way, or lost.
   */
  beginSnapshot(isRepeat?: boolean): void
  /** Drops a snapshot that turned out unreadable halfway. */
  abandonSnapshot(): void
  /** False for an event from before the current state. A venue without sequence numbers asks this before it applies a delta. */
  accepts(eventTs: number | null): boolean
  /** Records that a change was not applied for that reason. A book that receives nothing else is broken. */
  refused(recvTs: number): void
  /** A change was left out because a whole book contains it already. */
  alreadyContained?(): void
  /** Newest venue time applied, epoch ms; null when the venue gave none. */
  readonly eventTs: number | null
  /** Total size at a level; 0 removes it. False when refused as malformed. */
  set(side: BookSide, priceMicros: number, size: number): boolean
  /** Adds a signed size; returns the level's new total (below −1e-9 the books disagree: report a gap). */
  add(side: BookSide, priceMicros: number, delta: number): number
  bestBidMicros(): number | null
  bestAskMicros(): number | null
  /** Copies up to `max` levels as written so far, best first; returns how many, 0 unless synced. */
  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array): number
  /** Publishes what was written since the last commit. `eventTs` null: the venue gave no time. */
  commit(eventTs: number | null, recvTs: number): void
  /** True after the first snapshot, until marked stale. Deltas before that are ignored by the session. */
  readonly synced: boolean
  /** True from `FeedSink.hold` until the next commit, or until marked stale. */
  readonly isHeld?: boolean
}

/** The session's output. Called synchronously from `receive`. */
export interface FeedSink {
  /** Sends on this very connection: answers to a ping or a handshake, delayed subscriptions. Ignored once it is gone. */
  send(text: string): void
  /** This book's feed is up but sends no first snapshot: ingest reads it over REST. The session holds changes that arrive meanwhile. */
  unseeded(bookId: string): void
  /** The live book, undefined when it is not watched (late frames after unsubscribe). */
  book(bookId: string): BookWriter | undefined
  trade(trade: TradeUpdate): void
  /** `at`: its time on the venue's clock, epoch ms; null when the venue gives none. */
  lastTrade(bookId: string, priceMicros: number, at: number | null): void
  /** This book can no longer be trusted. Ingest marks it stale and resyncs. */
  broken(bookId: string, reason: StaleReason): void
  /**
   * What was just written contradicts the venue, which may repair it: readers keep the last published book until the next commit, and without
   * one within a second the book is broken for this reason. False when it cannot be held: it is broken now.
   */
  hold?(bookId: string, reason: StaleReason): boolean
  tickSize(bookId: string, tickMicros: number, atMs: number): void
  marketStatus(marketId: string, status: MarketStatus, atMs: number): void
  /** The venue refused a subscription: unknown market. */
  refused(bookId: string, reason: string): void
  /** The venue refused or lost the whole connection (auth, overflow): reconnect with backoff. */
  failed(reason: string): void
  /** The venue will soon close this connection, which delivers until then: ingest opens another one in parallel. */
  draining?(): void
  /** Input that fits nothing we know; counted. The book it may have named is not touched. */
  malformed(reason: string): void
}

export const defineVenue = <const M extends VenueManifest>(manifest: M): M => manifest
