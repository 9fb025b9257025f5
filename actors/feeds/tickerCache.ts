// The newest ticker of each symbol of one feed, and its subscribers. A subscriber immediately gets what is known and fresh, then every change; once
// a price has gone unconfirmed for too long, the subscriber gets a message that there is none.

import { type Clock, upperBoundNow } from '#core/clock'
import type { OnTicker } from '#marketData/feeds/feed'
import { aheadMsMax, emptyTicker, expired } from '#marketData/feeds/tickers'
import type { FeedSource, FeedTicker } from '#schemas/feeds'

interface Listener {
  onTicker: OnTicker
  /** Has received a ticker. */
  isGreeted: boolean
}

interface Held {
  ticker: FeedTicker
  /** When it was last received, on the monotonic clock. */
  at: number
  /** Epoch ms: anything older is ignored. */
  newerThan: number
}

export interface TickerBoardOptions {
  clock: Clock
  /** For tickers never received. */
  source: FeedSource
  /** A price unconfirmed for longer is no longer shown. */
  silentMs: number
  /** Tickers come from several sources: the older of two is ignored. */
  isOrdered: boolean
}

export class TickerBoard {
  private readonly options: TickerBoardOptions
  private readonly held = new Map<string, Held>()
  /** By symbol; `since`: when the first listener came. */
  private readonly listeners = new Map<string, { subscribers: Set<Listener>; since: number }>()

  constructor(options: TickerBoardOptions) {
    this.options = options
  }

  /** Symbols with listeners. */
  get watched(): string[] {
    return [...this.listeners.keys()]
  }

  watch(symbol: string, onTicker: OnTicker): () => void {
    const known = this.listeners.get(symbol) ?? { subscribers: new Set(), since: this.options.clock.monotonic() }
    this.listeners.set(symbol, known)
    const listener: Listener = { onTicker, isGreeted: false }
    known.subscribers.add(listener)
    const ticker = this.within(symbol, this.options.silentMs)
    if (ticker !== null) greet(listener, ticker)
    return () => {
      known.subscribers.delete(listener)
      if (known.subscribers.size === 0 && this.listeners.get(symbol) === known) this.listeners.delete(symbol)
    }
  }

  /** Received within the last `ms`. */
  within(symbol: string, ms: number): FeedTicker | null {
    const held = this.held.get(symbol)
    return held !== undefined && this.options.clock.monotonic() - held.at <= ms ? held.ticker : null
  }

  put(ticker: FeedTicker): void {
    const before = this.held.get(ticker.symbol)
    const { clock, isOrdered } = this.options
    const asOfMs = Date.parse(ticker.asOf)
    if (isOrdered && before !== undefined && before.ticker.last !== null && before.newerThan > asOfMs) return
    const newerThan = Math.min(asOfMs, upperBoundNow(clock) + aheadMsMax)
    this.held.set(ticker.symbol, { ticker, at: clock.monotonic(), newerThan })
    this.notify(ticker, before === undefined || changed(before.ticker, ticker))
  }

  /** Withdraws unconfirmed prices. */
  expire(): void {
    const { clock, silentMs, source } = this.options
    const now = clock.monotonic()
    for (const [symbol, { since }] of this.listeners) {
      const held = this.held.get(symbol)
      if (now - Math.max(held?.at ?? since, since) <= silentMs) continue
      const isKnown = held?.ticker.info.unproven === 'silent'
      const ticker =
        held === undefined
          ? emptyTicker(symbol, source, clock.now(), { unproven: 'silent' })
          : isKnown
            ? held.ticker
            : expired(held.ticker)
      this.held.set(symbol, { at: Number.NEGATIVE_INFINITY, newerThan: 0, ...held, ticker })
      this.notify(ticker, !isKnown)
    }
  }

  private notify(ticker: FeedTicker, isNews: boolean): void {
    for (const listener of [...(this.listeners.get(ticker.symbol)?.subscribers ?? [])])
      if (isNews || !listener.isGreeted) greet(listener, ticker)
  }
}

function greet(listener: Listener, ticker: FeedTicker): void {
  listener.isGreeted = true
  listener.onTicker(ticker)
}

/** Without a price, only a different reason is sent. */
const changed = (before: FeedTicker, after: FeedTicker): boolean =>
  before.info.unproven !== after.info.unproven ||
  before.last !== after.last ||
  (after.last !== null && before.asOf !== after.asOf)
