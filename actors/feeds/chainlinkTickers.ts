// Tickers of a chain's feeds for their subscribers: the newest rounds of all of them in one call every few seconds. Subscribers get new rounds, and
// are notified of rounds that no longer prove a price.

import { PeriodicTask } from '#actors/runtime/interval'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { OnTicker } from '#marketData/feeds/feed'
import type { FeedTicker } from '#schemas/feeds'
import { TickerBoard } from './tickerCache.ts'

const everyMs = 5_000
/** If the nodes are unavailable for this long, there is no price. */
const silentMs = 60_000

export interface ChainlinkTickersOptions {
  fetch(symbols: readonly string[]): Promise<FeedTicker[]>
  clock: Clock
  log: Log
}

export class ChainlinkTickers {
  private readonly fetch: ChainlinkTickersOptions['fetch']
  private readonly board: TickerBoard
  private readonly repeat: PeriodicTask
  private readonly lines: ThrottledLog

  constructor({ fetch, clock, log }: ChainlinkTickersOptions) {
    this.fetch = fetch
    this.lines = new ThrottledLog(log, clock)
    // Rounds are ordered by id, which the feed compares with what was shown: a new phase may start with a round written earlier.
    this.board = new TickerBoard({ clock, source: 'chainlink-onchain', silentMs, isOrdered: false })
    this.repeat = new PeriodicTask({
      clock,
      everyMs,
      isWanted: () => this.board.watched.length > 0,
      run: () => this.look(),
    })
  }

  /** Pairs with listeners. */
  get watched(): number {
    return this.board.watched.length
  }

  watch(symbol: string, onTicker: OnTicker): () => void {
    const end = this.board.watch(symbol, onTicker)
    // Known recently: the next read is soon enough.
    if (this.board.within(symbol, silentMs) === null) this.repeat.hurry()
    else this.repeat.begin()
    return end
  }

  stop(): void {
    this.repeat.stop()
  }

  private async look(): Promise<void> {
    try {
      // Pairs without listeners by then are kept for later subscribers.
      for (const ticker of await this.fetch(this.board.watched)) this.board.put(ticker)
    } catch (err) {
      this.lines.warn({ err }, 'chainlink: failed to read rounds')
    }
    this.board.expire()
  }
}
