// Prices of a venue's pools from their REST rows, for their subscribers: one read after the other at the venue's pace, the pool that has waited
// longest first.
import { PeriodicTask } from '#actors/runtime/interval'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { OnPrices } from '#marketData/optionPrices/prices'
import type { PricedPool, PricePoll } from '#venues/optionPrices'
import type { VenueContext } from '#venues/venueContext'
import { PriceBoard } from './priceCache.ts'

/** Minimum interval per pool. */
const againMs = 5_000

export interface PolledPricesOptions {
  poll: PricePoll
  context: VenueContext
  clock: Clock
  log: Log
}

export class PolledPrices {
  private readonly options: PolledPricesOptions
  private readonly board: PriceBoard
  private readonly repeat: PeriodicTask
  private readonly lines: ThrottledLog
  /** When each was last requested, on the monotonic clock, whatever the result. */
  private requestedAt = new Map<string, number>()

  constructor(options: PolledPricesOptions) {
    const { poll, clock, log } = options
    this.options = options
    this.lines = new ThrottledLog(log, clock)
    this.board = new PriceBoard(clock)
    this.repeat = new PeriodicTask({
      clock,
      everyMs: 60_000 / poll.readsPerMinute,
      isWanted: () => this.board.size > 0,
      run: () => this.look(),
    })
  }

  /** Pools with listeners. */
  get watched(): number {
    return this.board.size
  }

  /** As many as can be read once a minute. */
  hasCapacity(pool: PricedPool): boolean {
    return this.board.has(pool) || this.board.size < this.options.poll.readsPerMinute
  }

  watch(pool: PricedPool, onPrices: OnPrices): () => void {
    const end = this.board.watch(pool, onPrices)
    this.repeat.begin()
    return end
  }

  stop(): void {
    this.repeat.stop()
  }

  private async look(): Promise<void> {
    const { poll, context, clock } = this.options
    const pool = this.next()
    if (pool === null) return
    try {
      const prices = await poll.fetch(context, pool)
      this.board.put(pool, { prices, triggeredBy: null, asOfMs: clock.now() }, false)
    } catch (err) {
      this.lines.warn({ venue: context.venue, err }, 'failed to read option prices; will retry')
    }
  }

  private next(): PricedPool | null {
    const { pools } = this.board
    const now = this.options.clock.monotonic()
    this.requestedAt = new Map(pools.flatMap(({ key }) => ofKnown(key, this.requestedAt.get(key))))
    const waited = ({ key }: PricedPool): number => now - (this.requestedAt.get(key) ?? Number.NEGATIVE_INFINITY)
    const [longest] = pools.toSorted((a, b) => waited(b) - waited(a))
    if (longest === undefined || waited(longest) < againMs) return null
    this.requestedAt.set(longest.key, now)
    return longest
  }
}

const ofKnown = (key: string, at: number | undefined): [string, number][] => (at === undefined ? [] : [[key, at]])
