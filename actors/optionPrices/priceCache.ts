// The newest prices of each pool that has subscribers, and those subscribers. A subscriber immediately gets what is known and fresh, then
// every change. Pools without subscribers are dropped.
import type { Clock } from '#core/clock'
import type { OnPrices, PoolPrices } from '#marketData/optionPrices/prices'
import type { PricedPool } from '#venues/optionPrices'

/** Prices unconfirmed for longer are not sent to new subscribers. */
export const freshMs = 15_000

interface Listener {
  onPrices: OnPrices
  /** Has received prices. */
  isGreeted: boolean
}

interface Watched {
  pool: PricedPool
  listeners: Set<Listener>
  /** On the monotonic clock; null: not yet. */
  readAt: number | null
  /** `confirmedAt`: when it was last known to hold, on the monotonic clock. */
  held: { poolPrices: PoolPrices; confirmedAt: number } | null
}

export class PriceBoard {
  private readonly clock: Clock
  private readonly watched = new Map<string, Watched>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  get pools(): PricedPool[] {
    return [...this.watched.values()].map(({ pool }) => pool)
  }

  get size(): number {
    return this.watched.size
  }

  has({ key }: PricedPool): boolean {
    return this.watched.has(key)
  }

  watch(pool: PricedPool, onPrices: OnPrices): () => void {
    const watched = this.watched.get(pool.key) ?? { pool, listeners: new Set(), readAt: null, held: null }
    // A different catalog row: earlier reads do not apply to it.
    if (JSON.stringify(watched.pool.choices) !== JSON.stringify(pool.choices)) {
      watched.held = null
      watched.readAt = null
    }
    watched.pool = pool
    this.watched.set(pool.key, watched)
    const listener: Listener = { onPrices, isGreeted: false }
    watched.listeners.add(listener)
    const { held } = watched
    if (held !== null && this.clock.monotonic() - held.confirmedAt <= freshMs) greet(listener, held.poolPrices)
    return () => {
      watched.listeners.delete(listener)
      if (watched.listeners.size === 0 && this.watched.get(pool.key) === watched) this.watched.delete(pool.key)
    }
  }

  /** When it was last read, on the monotonic clock; null: not yet. */
  readAt({ key }: PricedPool): number | null {
    return this.watched.get(key)?.readAt ?? null
  }

  /** `isNews`: true even if the prices are unchanged. */
  put({ key }: PricedPool, poolPrices: PoolPrices, isNews: boolean): void {
    const watched = this.watched.get(key)
    if (watched === undefined) return
    const before = watched.held?.poolPrices ?? null
    const now = this.clock.monotonic()
    watched.readAt = now
    if (poolPrices.prices.length === 0) {
      watched.held = null
      return
    }
    const isSame = before !== null && !isNews && samePrices(before, poolPrices)
    // The cause has not changed either.
    const kept = isSame ? { ...poolPrices, triggeredBy: before.triggeredBy } : poolPrices
    watched.held = { poolPrices: kept, confirmedAt: now }
    for (const listener of [...watched.listeners]) if (!isSame || !listener.isGreeted) greet(listener, kept)
  }

  /** Confirms everything held: nothing has changed it. Listeners without prices get them. */
  confirm(): void {
    const now = this.clock.monotonic()
    for (const { held, listeners } of this.watched.values()) {
      if (held === null) continue
      held.confirmedAt = now
      for (const listener of [...listeners]) if (!listener.isGreeted) greet(listener, held.poolPrices)
    }
  }
}

function greet(listener: Listener, poolPrices: PoolPrices): void {
  listener.isGreeted = true
  listener.onPrices(poolPrices)
}

const samePrices = (a: PoolPrices, b: PoolPrices): boolean => JSON.stringify(a.prices) === JSON.stringify(b.prices)
