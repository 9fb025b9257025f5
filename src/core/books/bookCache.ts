// The newest book of every market that this process receives, as bytes ready to send. HTTP reads and stream greetings are served from it.
import type { StaleReason } from '#schemas/staleReason'
import type { BookUpdate } from '#schemas/topics'
import { complementCore } from './encode.ts'

/**
 * Books kept without a watcher, so that a read shortly after the last watcher leaves still finds one. About 1 KB each at 13 levels a
 * side.
 */
export const poolSizeMax = 10_000

/** `duplicate`: the update already held. `older`: the held one is newer. Both change nothing. */
export type ApplyResult = 'applied' | 'duplicate' | 'older'

interface Entry {
  update: BookUpdate
  watchers: number
  /** The other side's core, built on first request, and the core it was built from. */
  complement: Buffer | null
  complementOf: Buffer | null
}

export class BookCache {
  applied = 0
  duplicates = 0
  older = 0
  evicted = 0
  private readonly venues = new Map<string, Map<string, Entry>>()
  /** Watched markets, whether or not their book has arrived. */
  private readonly watched = new Map<string, Map<string, number>>()
  /** Entries without watchers, least recently touched first. */
  private readonly idle = new Set<Entry>()
  private readonly idleMax: number
  private held = 0

  constructor({ idleMax = poolSizeMax }: { idleMax?: number } = {}) {
    this.idleMax = idleMax
  }

  get size(): number {
    return this.held
  }

  /** Takes an update unless the held one is as new or newer, by epoch, then seq. */
  apply(update: BookUpdate): ApplyResult {
    const entry = this.find(update.venue, update.marketId)
    if (entry === undefined) {
      this.insert(update)
      return this.counted('applied')
    }
    const held = entry.update
    if (update.epoch < held.epoch || (update.epoch === held.epoch && update.seq < held.seq))
      return this.counted('older')
    if (update.epoch === held.epoch && update.seq === held.seq) return this.counted('duplicate')
    entry.update = update
    this.touch(entry)
    return this.counted('applied')
  }

  get(venue: string, marketId: string): BookUpdate | undefined {
    const entry = this.find(venue, marketId)
    if (entry === undefined) return undefined
    this.touch(entry)
    return entry.update
  }

  /** Unlike `get` it does not count as a read. */
  has(venue: string, marketId: string): boolean {
    return this.find(venue, marketId) !== undefined
  }

  /** Markets of the venue whose books are held. */
  *marketsOf(venue: string): Generator<string, void, void> {
    yield* this.venues.get(venue)?.keys() ?? []
  }

  /** The core of the other side (1 − price), built at most once per core. */
  complementOf(venue: string, marketId: string): Buffer | undefined {
    const entry = this.find(venue, marketId)
    if (entry === undefined) return undefined
    this.touch(entry)
    const { core } = entry.update
    if (entry.complement === null || entry.complementOf !== core) {
      entry.complement = complementCore(core)
      entry.complementOf = core
    }
    return entry.complement
  }

  /** Protects a market's book from eviction until `unwatch`; counted, so every `watch` needs its own `unwatch`. */
  watch(venue: string, marketId: string): void {
    const counts = this.watched.get(venue) ?? new Map<string, number>()
    const watchers = (counts.get(marketId) ?? 0) + 1
    counts.set(marketId, watchers)
    this.watched.set(venue, counts)
    this.setWatchers(venue, marketId, watchers)
  }

  unwatch(venue: string, marketId: string): void {
    const counts = this.watched.get(venue)
    const watchers = (counts?.get(marketId) ?? 0) - 1
    if (counts === undefined || watchers < 0) return
    if (watchers > 0) counts.set(marketId, watchers)
    else counts.delete(marketId)
    if (counts.size === 0) this.watched.delete(venue)
    this.setWatchers(venue, marketId, watchers)
  }

  /** Marks one book stale, e.g. when its ingest fell silent. The next update with a higher seq replaces it. False: not held. */
  markStale(venue: string, marketId: string, reason: StaleReason): boolean {
    const entry = this.find(venue, marketId)
    if (entry === undefined) return false
    entry.update = { ...entry.update, state: 'stale', staleReason: reason }
    return true
  }

  /** The same for those books of a venue whose last update is void; returns those that were live until now. */
  markVenueStale(
    venue: string,
    reason: (marketId: string) => StaleReason,
    isVoid: (update: BookUpdate) => boolean = () => true,
  ): BookUpdate[] {
    const changed: BookUpdate[] = []
    for (const entry of this.venues.get(venue)?.values() ?? []) {
      if (entry.update.state === 'stale' || !isVoid(entry.update)) continue
      entry.update = { ...entry.update, state: 'stale', staleReason: reason(entry.update.marketId) }
      changed.push(entry.update)
    }
    return changed
  }

  delete(venue: string, marketId: string): boolean {
    const books = this.venues.get(venue)
    const entry = books?.get(marketId)
    if (books === undefined || entry === undefined) return false
    books.delete(marketId)
    if (books.size === 0) this.venues.delete(venue)
    this.idle.delete(entry)
    this.held--
    return true
  }

  private find(venue: string, marketId: string): Entry | undefined {
    return this.venues.get(venue)?.get(marketId)
  }

  private insert(update: BookUpdate): void {
    const { venue, marketId } = update
    const watchers = this.watched.get(venue)?.get(marketId) ?? 0
    const entry: Entry = { update, watchers, complement: null, complementOf: null }
    const books = this.venues.get(venue) ?? new Map<string, Entry>()
    books.set(marketId, entry)
    this.venues.set(venue, books)
    this.held++
    this.touch(entry)
    this.evict()
  }

  private setWatchers(venue: string, marketId: string, watchers: number): void {
    const entry = this.find(venue, marketId)
    if (entry === undefined) return
    entry.watchers = watchers
    this.idle.delete(entry)
    this.touch(entry)
    this.evict()
  }

  /** Moves an unwatched entry to the back of the eviction queue. */
  private touch(entry: Entry): void {
    if (entry.watchers > 0) return
    this.idle.delete(entry)
    this.idle.add(entry)
  }

  private evict(): void {
    while (this.idle.size > this.idleMax) {
      const oldest = this.idle.values().next().value
      if (oldest === undefined) return
      this.delete(oldest.update.venue, oldest.update.marketId)
      this.evicted++
    }
  }

  private counted(result: ApplyResult): ApplyResult {
    if (result === 'applied') this.applied++
    else if (result === 'duplicate') this.duplicates++
    else this.older++
    return result
  }
}
