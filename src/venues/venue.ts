// What a venue folder exports. Absence is the capability: `has`, the 501s and coverage are derived from this value, so no second table can disagree.
import type { AbiEvent } from 'viem'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { RequestBudget } from '#net/hostBudget'
import type { HttpClient } from '#net/http'
import type { MarketFees } from '#schemas/fees'
import type { Event, Market, MarketStatus, Series } from '#schemas/market'
import type { Candle, Trade } from '#schemas/marketData'
import type { TradeUpdate } from '#schemas/topics'
import type { MetricUnit, PublishedMetricName } from '#schemas/venueMetrics'
import type { VenueSlug, Volume24hSource, Volume24hUnit } from '#schemas/venues'
import type { Lane, StatusLane } from './lane.ts'
import type { OptionPrices } from './optionPrices.ts'
import type { VenueTraders } from './traders.ts'

/** What every data function gets. `urls` and `credentials` are the operator's, from config: never a caller's. */
export interface VenueContext {
  /** Named in faults: the slug the reads serve. */
  venue: VenueSlug
  http: HttpClient
  clock: Clock
  log: Log
  /** Base URLs by the names the manifest declares in `urls`. */
  urls: Readonly<Record<string, string>>
  /** Operator credentials by the names the manifest declares, when configured. */
  credentials: Readonly<Record<string, string>> | null
  signal: AbortSignal
  /** Hears how many rows of a list could not be read, where whoever asked wants to say so. */
  leftOut?(rows: number): void
}

export interface VenueManifest {
  slug: VenueSlug
  /** Shown to people. */
  title: string
  /** Default base URLs, the lane's among them. Each is overridden by CROSSBOOK_<VENUE>_<NAME>_URL. */
  urls: Readonly<Record<string, string>>
  /** Names read from CROSSBOOK_<VENUE>_<NAME>, all or none. */
  credentialNames: readonly string[]
  /** What the whole process allows itself at each of its hosts, below the venue's own limits; `data.requestsPerSecond` where it says nothing. */
  budget?: RequestBudget
  volume24h: { source: Volume24hSource; unit: Volume24hUnit } | false
  /** Absent: in what its orders are paid nobody documents, or on no chain, or it differs from market to market. */
  deposit?: Deposit
  data: VenueData
  /** What it tells of who trades there. */
  traders?: VenueTraders
  /** How it takes orders. */
  exec?: Lane
  /** How it is asked about orders that were not built here. */
  status?: StatusLane
}

/** Where money has to be for its owner to trade: on this chain, at the owner's own address. The bridge brings it there. */
export interface Deposit {
  /** CAIP-2. */
  chain: string
  /** Of the token, as the chain writes it. */
  token: string
  symbol: string
  /** Of the token on an EVM chain; null on another, where amounts are decimal. */
  decimals: number | null
  /** What is still to be done once it is there, for readers, in a sentence. Absent: nothing. */
  afterwards?: string
}

/** A page of the catalog walk: whole events with their markets; later pages may repeat an event, the newest wins. */
export interface CatalogPage {
  events: Event[]
  series: Series[]
}

/**
 * How an outcome reads its book. `bookId` is the stream market id. `complement`: this outcome is the other side of that one book
 * (its bids are 1 − asks), false where the venue keeps a book of its own for the outcome.
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

/** Aligned to the epoch. With a start the oldest `limit` from there on, without one the newest by the end; of buckets that start in the range. */
export interface CandlesQuery {
  /** Bucket length in ms, one of `candleResolutionsMs`. */
  resolutionMs: number
  startMs?: number
  endMs?: number
  limit: number
}

/** Where an outcome stands, as the catalog stored it; enough to ask the venue about it. */
export interface OutcomeRef {
  outcomeId: string
  marketId: string
  eventId: string | null
  /** `series` etc. as the venue's normaliser put them into `Market.sourceMetadata`. */
  metadata: Readonly<Record<string, unknown>>
}

export const defaultRequestsPerSecond = 10

/** Contracts: orders are whole multiples of `step`, and at least `minimum`. */
export interface OrderSizes {
  step: number
  minimum: number
  /** What an order that meets the book costs at least; absent where the venue has no such rule. */
  minimumDollars?: number
  /** What as many contracts of the other answer would cost at least, at the order's price turned round; absent likewise. */
  minimumOtherDollars?: number
}

export interface VenueData {
  /** What the operator has not configured and none of it can be read without, in words; null when all is there. Absent: nothing is wanted. */
  missing?(context: Pick<VenueContext, 'credentials'>): string | null
  /** Walks the whole catalog to its end. `updatedSinceMs` narrows it where the venue can. */
  walkCatalog(context: VenueContext, options: { updatedSinceMs: number | null }): AsyncIterable<CatalogPage>
  /** One market by venue-native id with its event; null when the venue does not know it. */
  fetchMarket(context: VenueContext, marketId: string): Promise<{ market: Market; event: Event | null } | null>
  /** Several by id, in fewer requests than one each. Those the venue does not know are absent from the result. */
  fetchMarkets?(context: VenueContext, marketIds: readonly string[]): Promise<Map<string, Market>>
  /** One event with all its markets as they stand now, also when it is over; null when the venue does not know it. */
  fetchEvent?(context: VenueContext, eventId: string): Promise<Event | null>
  /**
   * Pure: how this outcome id reads its book; null when the id cannot be one of this venue's. `marketId` settles ids that read two ways
   * (a kalshi ticker may itself end in `-NO`).
   */
  bookRef(outcomeId: string, marketId?: string): BookRef | null
  /** Pure: the book of a market by the venue's own name of it, where no outcome is called that; null when it cannot be such a name. */
  marketBook?(marketId: string): BookRef | null
  /** Pure: what a taker pays on this market, read off its own catalog row. What the row does not say is `unknown`, never nothing. */
  feeModel(market: Pick<Market, 'sourceMetadata'>): MarketFees
  /** Pure: in which sizes a market is ordered, contracts. Absent or null: nobody says, or it depends on the price. */
  orderSizes?(market: Pick<Market, 'sourceMetadata'>): OrderSizes | null
  /** Null when the venue has no such book. */
  fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null>
  /** Books the venue does not know are absent from the result. */
  fetchOrderBooks?(context: VenueContext, bookIds: readonly string[]): Promise<Map<string, BookSnapshot>>
  fetchTrades?(context: VenueContext, outcome: OutcomeRef, query: TradesQuery): Promise<Trade[]>
  /** Where the venue publishes no trades and its contracts do. Needs the operator's nodes, `CROSSBOOK_<VENUE>_RPC_URL`, a comma list. */
  chainTrades?: ChainTrades
  /** Where trades can be seen before their block. Needs a node of the operator's that hands on what it hears of: `CROSSBOOK_POLYGON_WS_URL`. */
  pendingTrades?: PendingTrades
  fetchCandles?(context: VenueContext, outcome: OutcomeRef, query: CandlesQuery): Promise<Candle[]>
  candleResolutionsMs?: readonly number[]
  /** Open orders of any account, for anybody. Left out: the venue shows them to their owner alone. */
  openOrders?: PublicOpenOrders
  /** Prices that no order book makes. Left out: all its markets are traded in one. */
  optionPrices?: OptionPrices
  /** What the venue says of itself as a whole. Left out: nothing that anybody documents. */
  fetchMetrics?(context: VenueContext): Promise<PublishedMetric[]>
  /** The live feed, when the venue has one. Without it (or without the credentials it needs) ingest polls `fetchOrderBook`. */
  stream?: VenueStream
  /** Reads of books that ingest plans with, a second; `defaultRequestsPerSecond` where it names none. */
  requestsPerSecond?: number
  /** Polling cadence when there is no usable stream. */
  poll: {
    intervalMs: number
    concurrency: number
    /** Least time between two reads of trades for the tape; left out: trades are taped from the stream or not at all. Also beside a stream without trades. */
    tradesEveryMs?: number
  }
}

/** Whether the live feed brings trades as they happen. */
export const streamsTrades = ({ stream }: { stream?: VenueStream | undefined }): boolean =>
  stream !== undefined && stream.hasTrades !== false

/** Trades as a chain tells them: only events whose shape and meaning are known. */
export interface ChainTrades {
  /** What `eth_chainId` of every node must be. */
  chainId: number
  /** A block is told with that many on top of it. */
  confirmations: number
  /** Usual time from a block to the next. */
  blockMs: number
  events: readonly AbiEvent[]
  /** Contracts whose logs are trades of this market; none where its row does not say. */
  contractsOf(market: Market): readonly string[]
  /** Pure. Null: no trade of this market. */
  tradeOf(market: Market, event: ChainEvent): ChainTrade | null
  /** For readers, in a sentence: what is in this tape, and what is not. */
  completeness: string
}

export interface ChainEvent {
  name: string
  /** As viem decodes them: integers are bigints. */
  args: Readonly<Record<string, unknown>>
}

export interface ChainTrade {
  /** The book it belongs to, in whose own outcome it is told. */
  bookId: string
  priceMicros: number | null
  shares: number
  /** The taker's direction. */
  type: 'Buy' | 'Sell' | 'Unknown'
  /** Where it is not price by shares. */
  usd?: number | null
  maker: string | null
  wallet: string | null
  counterparty: string | null
}

/** Trades as transactions that wait for their block tell them. */
export interface PendingTrades {
  /** What `eth_chainId` of the node must be. */
  chainId: number
  /** Who is called to settle, in lower case. */
  contracts: readonly string[]
  /** First topics of the logs of which every settlement leaves one. */
  settledTopics: readonly string[]
  /** Not in a block for so long, a settlement is given up. */
  timeoutMs: number
  /** Blocks with so many on top are final where the node names none that is. */
  finalDepth: number
  /**
   * Pure, and quick whatever it is given: the fills of one settlement, the taker's first, then the makers' in their order. `to` and `input` in lower
   * case. Null: no settlement, or none that could succeed.
   */
  fillsOf(to: string, input: string): PendingFill[] | null
  /** Pure: whether a settlement's log says of the first fill what was read before. `data`: of the log, hex in lower case. */
  agrees(fill: PendingFill, data: string): boolean
  /** For readers, in a sentence: what is among them, and what is not. */
  completeness: string
}

/** One order's part in a settlement. */
export interface PendingFill {
  /** The book it belongs to, in whose own outcome it is told. */
  bookId: string
  /** What the order does. */
  type: 'Buy' | 'Sell'
  shares: number
  usd: number
  /** Null: no shares. */
  price: number | null
  /** Null: several. */
  maker: string | null
  /** Whose order it is. */
  wallet: string
  /** Null: several. */
  counterparty: string | null
}

/** Whether its trades can be read off its chain: the operator has a node. */
export const readsChain = ({ data }: Pick<VenueManifest, 'data'>, { urls }: Pick<VenueContext, 'urls'>): boolean =>
  data.chainTrades !== undefined && urls.RPC !== undefined

/** Whether open orders of its accounts can be read: one off the chain needs a node of the operator's. */
export const showsOpenOrders = (
  { openOrders }: Pick<VenueData, 'openOrders'>,
  { urls }: Pick<VenueContext, 'urls'>,
): boolean => openOrders !== undefined && (openOrders.source !== 'chain' || urls.RPC !== undefined)

/** Whether readers of the stream can have prices of its pools. */
export const showsOptionPrices = (
  { optionPrices }: Pick<VenueData, 'optionPrices'>,
  context: Pick<VenueContext, 'urls'>,
): boolean => optionPrices !== undefined && (optionPrices.missing?.(context) ?? null) === null

/** Whether readers of the stream can have the venue's trades: off its feed, or off its chain. */
export const tellsTrades = (manifest: Pick<VenueManifest, 'data'>, context: Pick<VenueContext, 'urls'>): boolean =>
  (manifest.data.fetchTrades !== undefined && streamsTrades(manifest.data)) || readsChain(manifest, context)

/** Whether ingest tapes the venue's trades: from its stream, or those it reads over REST. */
export const hasTradesTape = (data: VenueData): boolean =>
  streamsTrades(data) || (data.fetchTrades !== undefined && data.poll.tradesEveryMs !== undefined)

/** Of the venue itself, or of a tape of its trades. */
export const canHaveCandles = (data: VenueData): boolean => data.fetchCandles !== undefined || hasTradesTape(data)

/** Open orders of an account that the venue, or its chain, shows to whoever asks. */
export interface PublicOpenOrders {
  /** `chain`: derived from its contracts' logs, read at the operator's node. */
  source: 'venue_api' | 'chain'
  /** Accounts that this process reads a minute at most: the rest of the venue's allowance is the tape's. */
  readsPerMinute: number
  /** Pure: how the venue names the account; null for what can be none. */
  accountOf(accountId: string): string | null
  /** All of them, in any order, none for an account that the venue does not know. Half a list is a fault. */
  fetch(context: VenueContext, account: string): Promise<PublicOpenOrdersRead>
}

export interface PublicOpenOrdersRead {
  orders: PublicOpenOrder[]
  /** When they stood so, epoch ms: by the venue where it says it. */
  asOfMs: number
}

/** Price of the outcome as a probability, sizes in shares; null for what is not said. */
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
  /** The read that says it, for readers: `GET /v2/oi`. */
  read: string
}

/** A venue's WebSocket seen as a pure protocol: no socket, no timers in here. */
export interface VenueStream {
  /** What the venue gives out over REST for one connection, where it wants a token. Asked for before each; one not given is a connection that failed. */
  fetchToken?(context: VenueContext): Promise<string>
  /**
   * Address and headers of the next connection; signs where the venue wants it. Null: not usable with what is configured, which is asked without a
   * token.
   */
  connect(context: VenueContext, token?: string): { url: string; headers: Record<string, string> } | null
  /** Most books on one socket. */
  booksPerSocket: number
  /**
   * A socket with watched books that delivers no data (heartbeats do not count) for this long is a silent freeze. Quiet markets are no reason for
   * more than 15 s: before it is over one of them is compared with what REST has.
   */
  silenceMs: number
  /** Text we send this often, when the protocol wants one from the client. */
  heartbeat: { everyMs: number; text: string } | null
  /** The feed tells the best levels of each side alone, so many: the venue's own book is held beside ours no deeper. Left out: all there are. */
  levels?: number
  /**
   * Pure: false for a book that the venue has but the socket does not tell of. It is polled, as without a stream; trades of all
   * books are read then (`hasTrades: false`). Left out: it tells of all.
   */
  carries?(bookId: string): boolean
  /** True where `resync` answers on the socket itself; an unanswered request then condemns the connection. */
  resyncInBand: boolean
  /** True where one subscription yields every market of the venue. */
  firehose: boolean
  /** False where it brings no trades: they are read over REST for the tape, as without a stream, and nobody can subscribe to them. */
  hasTrades?: false
  open(feed: FeedSink, token?: string): StreamSession
}

/** One connection's protocol state. Texts it gives back go out in order, as do those it gives to `feed.send`. */
export interface StreamSession {
  subscribe(bookIds: readonly string[]): string[]
  unsubscribe(bookIds: readonly string[]): string[]
  /** In-band request for a fresh snapshot; null where only REST has one. */
  resync(bookId: string): string[] | null
  /** In-band request for snapshots of healthy books, whose arrival proves them; null where only REST has them. */
  confirm(bookIds: readonly string[]): string[] | null
  /** True once this connection has said anything of the book since it was last subscribed: the feed is there, whatever it is worth. */
  feeds(bookId: string): boolean
  /** A REST snapshot was written into the book: what the session held back for it follows now. */
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

/** The writing face of one live book. Prices in micros, sizes in contracts or shares. */
export interface BookWriter {
  /** Empties both sides; levels that the snapshot does not name are gone. */
  beginSnapshot(): void
  /** Drops a snapshot that turned out unreadable half way. */
  abandonSnapshot(): void
  /** False for an event from before the present state. A venue without sequence numbers asks this before it applies a delta. */
  accepts(eventTs: number | null): boolean
  /** A change was not applied for that reason. A book to which nothing else comes is broken. */
  refused(recvTs: number): void
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
}

/** What a session tells the outside. Called synchronously from `receive`. */
export interface FeedSink {
  /** Answers on this very connection: a ping of the venue, a handshake, subscriptions that waited for one. Ignored once it is gone. */
  send(text: string): void
  /** The feed of this book is there, and brings no first snapshot: ingest reads it over REST. Changes that come meanwhile are the session's to hold. */
  unseeded(bookId: string): void
  /** The live book, undefined when nobody watches it (late frames after unsubscribe). */
  book(bookId: string): BookWriter | undefined
  trade(trade: TradeUpdate): void
  /** `at`: when it was, by the venue's clock, epoch ms; null: it does not say. */
  lastTrade(bookId: string, priceMicros: number, at: number | null): void
  /** This book can no longer be trusted: `gap`, `crossed`, `best_mismatch`, `hash_mismatch`, `negative`. Ingest marks it stale and resyncs. */
  broken(bookId: string, reason: string): void
  tickSize(bookId: string, tickMicros: number, atMs: number): void
  marketStatus(marketId: string, status: MarketStatus, atMs: number): void
  /** The venue refused a subscription: unknown market. */
  refused(bookId: string, reason: string): void
  /** The venue refused or lost the whole connection (auth, overflow): reconnect with backoff. */
  failed(reason: string): void
  /** Input that fits nothing we know; counted, the book it may have named is not touched. */
  malformed(reason: string): void
}

export const defineVenue = <const M extends VenueManifest>(manifest: M): M => manifest
