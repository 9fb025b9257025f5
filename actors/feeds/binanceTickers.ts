// Binance tickers: from the stream when it delivers them, otherwise over REST. A symbol read over HTTP is streamed for a while, so that the next
// reader costs Binance no request.

import { PeriodicTask } from '#actors/runtime/interval'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { SingleFlight } from '#core/singleFlight'
import { ThrottledLog } from '#core/throttledLog'
import { tickerOfRest, tickerOfStream } from '#marketData/feeds/binance/normalize'
import { idOf } from '#marketData/feeds/binance/pairs'
import type { BinanceRest } from '#marketData/feeds/binance/rest'
import type { OnTicker } from '#marketData/feeds/feed'
import { emptyTicker } from '#marketData/feeds/tickers'
import type { OpenSocket } from '#net/socket'
import type { FeedMarket, FeedTicker } from '#schemas/feeds'
import { BinanceSocket } from './binanceSocket.ts'
import { TickerBoard } from './tickerCache.ts'

/** A streamed window arrives every second: an older one is replaced by a REST read. */
const freshMs = 5_000
/** Concurrent readers share a REST response. */
const sharedMs = 1_000
const lookEveryMs = 2_000
const holdMs = 60_000
const silentMs = 15_000

export interface BinanceTickersOptions {
  markets: ReadonlyMap<string, FeedMarket>
  rest: BinanceRest
  wsUrl: string
  openSocket: OpenSocket
  clock: Clock
  log: Log
  random(): number
  signal: AbortSignal
}

export class BinanceTickers {
  private readonly options: BinanceTickersOptions
  private readonly board: TickerBoard
  private readonly socket: BinanceSocket
  private readonly repeat: PeriodicTask
  private readonly lines: ThrottledLog
  private readonly requests = new SingleFlight<FeedTicker[]>()
  private readonly symbols: ReadonlyMap<string, string>
  /** Symbols read over HTTP, and until when they are streamed, on the monotonic clock. */
  private readonly heldUntil = new Map<string, number>()

  constructor(options: BinanceTickersOptions) {
    const { clock, log, markets } = options
    this.options = options
    this.lines = new ThrottledLog(log, clock)
    this.symbols = new Map([...markets.values()].map(({ id, symbol }) => [id, symbol]))
    this.board = new TickerBoard({ clock, source: 'binance-ws', silentMs, isOrdered: true })
    this.socket = new BinanceSocket({
      ...options,
      url: options.wsUrl,
      onWindow: (window) => {
        const symbol = this.symbols.get(window.s)
        if (symbol !== undefined) this.receive(tickerOfStream(symbol, window, clock))
      },
    })
    this.repeat = new PeriodicTask({
      clock,
      everyMs: lookEveryMs,
      isWanted: () => this.board.watched.length > 0 || this.heldUntil.size > 0 || this.socket.isWanted,
      run: () => this.look(),
    })
  }

  /** Pairs with listeners. */
  get watched(): number {
    return this.board.watched.length
  }

  get isStreaming(): boolean {
    return this.socket.isOpen
  }

  watch(symbol: string, onTicker: OnTicker): () => void {
    const end = this.board.watch(symbol, onTicker)
    this.want()
    this.repeat.begin()
    return end
  }

  async fetch(symbols: readonly string[]): Promise<FeedTicker[]> {
    const until = this.options.clock.monotonic() + holdMs
    for (const symbol of symbols) this.heldUntil.set(symbol, until)
    this.want()
    this.repeat.begin()
    // All tickers of one response come from the same source.
    const streamed = symbols.map((symbol) => this.streamed(symbol))
    if (streamed.every((ticker) => ticker !== null)) return streamed
    const shared = symbols.map((symbol) => this.board.within(symbol, sharedMs))
    if (shared.every((ticker) => ticker?.provenance.source === 'binance-rest')) return shared as FeedTicker[]
    return this.request(symbols)
  }

  stop(): void {
    this.repeat.stop()
    this.socket.stop()
  }

  /** A window without a price does not withdraw one proven otherwise: the price is requested over REST, and expires if REST is down too. */
  private receive(ticker: FeedTicker): void {
    const isProven = (this.board.within(ticker.symbol, silentMs)?.last ?? null) !== null
    if (ticker.last !== null || !isProven) this.board.put(ticker)
  }

  private streamed(symbol: string): FeedTicker | null {
    const ticker = this.socket.isOpen ? this.board.within(symbol, freshMs) : null
    return ticker?.provenance.source === 'binance-ws' && ticker.last !== null ? ticker : null
  }

  private request(symbols: readonly string[]): Promise<FeedTicker[]> {
    const { rest, clock, signal } = this.options
    return this.requests.run(symbols.join(), async () => {
      const windows = await rest.fetchWindows(symbols.map(idOf), signal)
      if (windows.length === 1 && windows[0] === null)
        throw new Fault('FEED_NOT_FOUND', `binance does not list ${symbols[0]}`)
      const tickers = windows.map((window, n) =>
        window === null
          ? emptyTicker(symbols[n]!, 'binance-rest', clock.now(), { unproven: 'not listed' })
          : tickerOfRest(symbols[n]!, window, clock),
      )
      for (const ticker of tickers) this.board.put(ticker)
      return tickers
    })
  }

  /** Requests symbols that have listeners but are not streamed. */
  private async look(): Promise<void> {
    this.want()
    const missing = this.board.watched.filter((symbol) => this.streamed(symbol) === null)
    if (missing.length > 0) {
      await this.request(missing).catch((err: unknown) => this.lines.warn({ err }, 'binance: failed to read tickers'))
    }
    this.board.expire()
  }

  private want(): void {
    const now = this.options.clock.monotonic()
    for (const [symbol, until] of this.heldUntil) if (until <= now) this.heldUntil.delete(symbol)
    this.socket.want(new Set([...this.board.watched, ...this.heldUntil.keys()].map(idOf)))
  }
}
