// A bounded cache in memory: the least recently used entry is evicted first. toad-cache keeps the order. Lifetimes are measured here, on the
// monotonic clock, because the library measures them on the wall clock, which steps.
import { LruMap } from 'toad-cache'
import type { Clock } from './clock.ts'
import { SingleFlight } from './singleFlight.ts'

export interface CacheLifetime {
  clock: Pick<Clock, 'monotonic'>
  /** Of entries set without one of their own. Default: until evicted. */
  forMs?: number
}

class Expiring<V> {
  readonly value: V
  readonly untilMs: number

  constructor(value: V, untilMs: number) {
    this.value = value
    this.untilMs = untilMs
  }
}

export class Cache<V> {
  private readonly entries: LruMap<V | Expiring<V>>
  private readonly loading = new SingleFlight<V>()
  private readonly lifetime: CacheLifetime | null

  /** Without `lifetime` nothing expires. */
  constructor(entriesMax: number, lifetime?: CacheLifetime) {
    this.entries = new LruMap(entriesMax)
    this.lifetime = lifetime ?? null
  }

  /** Entries held, including those that expired and were not read since. */
  get size(): number {
    return this.entries.size
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key)
    if (!(entry instanceof Expiring)) return entry
    if (this.lifetime!.clock.monotonic() < entry.untilMs) return entry.value
    this.entries.delete(key)
    return undefined
  }

  set(key: string, value: V, forMs = this.lifetime?.forMs ?? Number.POSITIVE_INFINITY): void {
    const { lifetime } = this
    this.entries.set(key, lifetime === null ? value : new Expiring(value, lifetime.clock.monotonic() + forMs))
  }

  delete(key: string): void {
    this.entries.delete(key)
  }

  clear(): void {
    this.entries.clear()
  }

  /** The cached value, otherwise that of `load`. Concurrent callers share one load; a failure is not cached. */
  async getOrLoad(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.get(key)
    if (known !== undefined) return known
    return this.loading.run(key, async () => {
      const value = await load()
      this.set(key, value)
      return value
    })
  }
}
