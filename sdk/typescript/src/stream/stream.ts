// The stream: one socket with all subscriptions, which are requested again after each reconnect. The socket is open only while something is
// subscribed.
import { type Backoff, systemClock } from '../clock.ts'
import { CrossbookError } from '../errors.ts'
import { type BookOptions, BookSubscription, VenueBooksSubscription } from './books.ts'
import { Connection, type Edges, type SocketConstructor } from './connection.ts'
import { type ClientOp, keysOf, type ServerFrame } from './frames.ts'
import { OrdersSubscription } from './orders.ts'
import {
  FeedTickerSubscription,
  PriceSubscription,
  type TradesOptions,
  TradesSubscription,
} from './passThroughChannels.ts'
import { PortfolioSubscription } from './portfolio.ts'
import { type ReplayOptions, ReplaySubscription } from './replay.ts'
import type { Reader, Wire } from './subscription.ts'
import {
  type ArbitrageOptions,
  ArbitrageSubscription,
  type StructuresOptions,
  StructuresSubscription,
} from './surface.ts'

/** Events of the stream that belong to no subscription. */
export type StreamEvent =
  | { type: 'up' }
  | { type: 'down'; reason: string; retryInMs: number }
  | { type: 'error'; code: string; message: string }
  | { type: 'closed'; error: Error | null }

export interface StreamOptions {
  /** Required where there is no global WebSocket (Node 20): that of `ws`. */
  WebSocket?: SocketConstructor
  /** From 0.5 s to 30 s by default. */
  reconnect?: Partial<Backoff>
  /** Consecutive failed connection attempts before every subscription ends with an error; unlimited by default. */
  attemptsMax?: number
  /** After this long without a frame the connection is probed; 20 s by default. */
  silenceMs?: number
  /** Time limit for the response; 10 s by default. */
  answerMs?: number
  /**
   * Maximum events of one subscription that wait for its reader; 1,000 by default. The oldest are dropped, and the number of dropped events
   * is reported.
   */
  bufferMax?: number
  onEvent?: (event: StreamEvent) => void
}

const bufferMaxDefault = 1_000

export class Stream {
  private readonly subscriptions = new Map<string, Reader>()
  private readonly connection: Connection
  private readonly wire: Wire
  private readonly onEvent: (event: StreamEvent) => void
  private ended = false

  constructor(url: string, apiKey: string, options: StreamOptions, edges: Edges) {
    const { reconnect, attemptsMax = Number.POSITIVE_INFINITY, silenceMs = 20_000, answerMs = 10_000 } = options
    this.onEvent = options.onEvent ?? (() => undefined)
    const connection = new Connection(
      url,
      apiKey,
      { reconnect: { baseMs: 500, capMs: 30_000, ...reconnect }, attemptsMax, silenceMs, answerMs },
      edges,
      {
        up: () => this.up(),
        down: (reason, retryInMs) => this.down(reason, retryInMs),
        over: (error) => this.over(error),
        frame: (frame) => this.frame(frame as unknown as ServerFrame),
      },
    )
    this.connection = connection
    this.wire = {
      clock: edges.clock,
      random: edges.random,
      bufferMax: options.bufferMax ?? bufferMaxDefault,
      get isUp() {
        return connection.isUp
      },
      send: (op: ClientOp) => connection.send(op),
      leave: ({ key }) => {
        this.subscriptions.delete(key)
        if (this.subscriptions.size === 0) edges.clock.after(0, () => this.restIfUnused())
      },
    }
  }

  subscribeBook = (options: BookOptions): BookSubscription => this.add(new BookSubscription(this.wire, lower(options)))

  /** Every book of a venue whose source streams all of them at once. */
  subscribeVenueBooks = (options: { venue: string }): VenueBooksSubscription =>
    this.add(new VenueBooksSubscription(this.wire, lower(options)))

  subscribeTrades = (options: TradesOptions): TradesSubscription =>
    this.add(new TradesSubscription(this.wire, lower(options)))

  subscribeArbitrage = (options: ArbitrageOptions = {}): ArbitrageSubscription =>
    this.add(new ArbitrageSubscription(this.wire, options))

  subscribeStructures = (options: StructuresOptions = {}): StructuresSubscription =>
    this.add(new StructuresSubscription(this.wire, options))

  /** Changes of the account's orders; the key needs the scope `trade`. */
  subscribeOrders = (): OrdersSubscription => this.add(new OrdersSubscription(this.wire))

  /** Positions of the account and their totals; the key needs the scope `trade`. */
  subscribePortfolio = (): PortfolioSubscription => this.add(new PortfolioSubscription(this.wire))

  subscribeFeedTicker = (options: { feed: string; symbol: string }): FeedTickerSubscription =>
    this.add(new FeedTickerSubscription(this.wire, options))

  subscribePrice = (options: { venue: string; marketId: string; marketAddress?: string }): PriceSubscription =>
    this.add(new PriceSubscription(this.wire, lower(options)))

  /** A paced replay of the tape; one per stream. */
  subscribeReplay = (options: ReplayOptions): ReplaySubscription => this.add(new ReplaySubscription(this.wire, options))

  get isUp(): boolean {
    return this.connection.isUp
  }

  /** Ends every subscription, and the socket. */
  close(): void {
    this.connection.close()
  }

  private add<S extends Reader>(subscription: S): S {
    if (this.ended) throw new CrossbookError('the stream is closed')
    if (this.subscriptions.has(subscription.key)) throw new CrossbookError(`${subscription.key} is already subscribed`)
    this.subscriptions.set(subscription.key, subscription)
    this.connection.open()
    subscription.request()
    return subscription
  }

  /** After the current task, so that a program that leaves one loop and enters the next keeps the socket. A finished program exits. */
  private restIfUnused(): void {
    if (this.subscriptions.size === 0 && !this.ended) this.connection.rest()
  }

  private up(): void {
    this.onEvent({ type: 'up' })
    for (const subscription of this.subscriptions.values()) subscription.request()
  }

  private down(reason: string, retryInMs: number): void {
    for (const subscription of this.subscriptions.values()) subscription.down(reason)
    this.onEvent({ type: 'down', reason, retryInMs })
  }

  private over(error: Error | null): void {
    this.ended = true
    for (const subscription of [...this.subscriptions.values()]) subscription.over(error)
    this.subscriptions.clear()
    this.onEvent({ type: 'closed', error })
  }

  private frame(frame: ServerFrame): void {
    let isRead = false
    for (const key of keysOf(frame)) {
      const reader = this.subscriptions.get(key)
      if (reader === undefined) continue
      isRead = true
      reader.frame(frame)
    }
    if (isRead || frame.type !== 'error' || frame.code === 'NOT_SUBSCRIBED') return
    this.onEvent({ type: 'error', code: frame.code, message: frame.message })
  }
}

/** Frames name a venue in lower case, and by its canonical name. */
const aliases: Readonly<Record<string, string>> = { 'gemini-titan': 'gemini' }
function lower<T extends { venue: string }>(options: T): T {
  const venue = options.venue.toLowerCase()
  return { ...options, venue: aliases[venue] ?? venue }
}

/** `edges`: replaceable parts, for tests and backtests. */
export function openStream(
  baseUrl: string,
  apiKey: string,
  options: StreamOptions = {},
  { clock = systemClock, random = Math.random, WebSocket: given }: Partial<Edges> = {},
): Stream {
  const WebSocket = options.WebSocket ?? given ?? (globalThis.WebSocket as unknown as SocketConstructor | undefined)
  if (WebSocket === undefined)
    throw new CrossbookError('there is no global WebSocket: pass that of `ws` as options.WebSocket')
  const url = `${baseUrl.replace(/^http/, 'ws')}/v1/stream`
  return new Stream(url, apiKey, options, { clock, random, WebSocket })
}
