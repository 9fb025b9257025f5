// Tickers of a chain's feeds for their subscribers: the newest rounds of all of them in one call every few seconds. Subscribers hear of new rounds,
// and of rounds that no longer prove a price.

import { Repeat } from '#actors/runtime/repeat'
import type { TellTicker } from '#feeds/feed'
import type { Clock } from '#lib/clock'
import { FewLines } from '#lib/fewLines'
import type { Log } from '#lib/log'
import type { FeedTicker } from '#schemas/feeds'
import { TickerBoard } from './tickerBoard.ts'

const everyMs = 5_000
/** Nodes that are away for so long leave us without a price. */
const silentMs = 60_000

export interface ChainlinkTickersOptions {
  fetch(symbols: readonly string[]): Promise<FeedTicker[]>
  clock: Clock
  log: Log
}

export class ChainlinkTickers {
  private readonly fetch: ChainlinkTickersOptions['fetch']
  private readonly board: TickerBoard
  private readonly repeat: Repeat
  private readonly lines: FewLines

  constructor({ fetch, clock, log }: ChainlinkTickersOptions) {
    this.fetch = fetch
    this.lines = new FewLines(log, clock)
    // Rounds are in order by their ids, which the feed holds against what was shown: a new phase may begin with one that was written earlier.
    this.board = new TickerBoard({ clock, source: 'chainlink-onchain', silentMs, isOrdered: false })
    this.repeat = new Repeat({
      clock,
      everyMs,
      isWanted: () => this.board.watched.length > 0,
      run: () => this.look(),
    })
  }

  /** Pairs that somebody listens to. */
  get watched(): number {
    return this.board.watched.length
  }

  watch(symbol: string, tell: TellTicker): () => void {
    const end = this.board.watch(symbol, tell)
    // Known lately: the next look is early enough.
    if (this.board.within(symbol, silentMs) === null) this.repeat.hurry()
    else this.repeat.begin()
    return end
  }

  stop(): void {
    this.repeat.stop()
  }

  private async look(): Promise<void> {
    try {
      // What nobody listens to any more by then is held for who comes next.
      for (const ticker of await this.fetch(this.board.watched)) this.board.put(ticker)
    } catch (err) {
      this.lines.warn({ err }, 'chainlink: rounds could not be read')
    }
    this.board.expire()
  }
}
