// Reads the watched books over REST in a round, for venues without a usable live feed. One round at a time; a book that is newly wanted
// does not wait for its turn.
import type { Clock, Timer } from '#lib/clock'
import type { BookSnapshot, VenueContext, VenueData } from '#venues/venue'
import { batchMax } from './polling.ts'

export interface PollerOptions {
  data: VenueData
  context: VenueContext
  clock: Clock
  watched(): string[]
  onSnapshot(snapshot: BookSnapshot): void
  onMissing(bookId: string): void
  onFailed(bookIds: readonly string[], error: unknown): void
}

export class Poller {
  private timer: Timer | null = null
  private stopped = true
  private roundMs = 0
  private readonly urgent = new Set<string>()
  private hurrying = false
  private readonly options: PollerOptions

  constructor(options: PollerOptions) {
    this.options = options
  }

  /** From one reading of a book to the next, as it has been lately. */
  get effectiveIntervalMs(): number {
    return Math.max(this.options.data.poll.intervalMs, this.roundMs)
  }

  start(): void {
    if (!this.stopped) return
    this.stopped = false
    void this.round()
  }

  /** Somebody wants this book now. */
  hurry(bookId: string): void {
    if (this.stopped) return
    this.urgent.add(bookId)
    if (!this.hurrying) void this.readUrgent()
  }

  stop(): void {
    this.stopped = true
    this.urgent.clear()
    this.timer?.cancel()
    this.timer = null
  }

  private async round(): Promise<void> {
    const { data, watched, clock } = this.options
    const startedAt = clock.now()
    const ids = watched()
    const groups: string[][] = []
    const size = data.fetchOrderBooks === undefined ? 1 : batchMax
    for (let i = 0; i < ids.length; i += size) groups.push(ids.slice(i, i + size))
    let next = 0
    const lane = async (): Promise<void> => {
      for (let group = groups[next++]; group !== undefined && !this.stopped; group = groups[next++])
        await this.read(group)
    }
    await Promise.all(Array.from({ length: Math.min(data.poll.concurrency, groups.length) }, lane))
    if (this.stopped) return
    this.roundMs = clock.now() - startedAt
    // The cadence counts from start to start; a slow round is followed at once by the next.
    const restMs = Math.max(10, data.poll.intervalMs - this.roundMs)
    this.timer = clock.after(restMs, () => void this.round())
  }

  /** Those that are wanted in the same moment go together where the venue reads many at once. */
  private async readUrgent(): Promise<void> {
    const { data, watched } = this.options
    const size = data.fetchOrderBooks === undefined ? 1 : batchMax
    this.hurrying = true
    await Promise.resolve()
    while (this.urgent.size > 0 && !this.stopped) {
      const group = [...this.urgent].slice(0, size)
      for (const bookId of group) this.urgent.delete(bookId)
      const still = new Set(watched())
      const wanted = group.filter((bookId) => still.has(bookId))
      if (wanted.length > 0) await this.read(wanted)
    }
    this.hurrying = false
  }

  private async read(group: readonly string[]): Promise<void> {
    const { data, context, onSnapshot, onMissing, onFailed } = this.options
    try {
      const books =
        data.fetchOrderBooks === undefined
          ? await single(data, context, group[0]!)
          : await data.fetchOrderBooks(context, group)
      if (this.stopped) return
      for (const bookId of group) {
        const snapshot = books.get(bookId)
        if (snapshot === undefined) onMissing(bookId)
        else onSnapshot(snapshot)
      }
    } catch (error) {
      if (!this.stopped) onFailed(group, error)
    }
  }
}

async function single(data: VenueData, context: VenueContext, bookId: string): Promise<Map<string, BookSnapshot>> {
  const snapshot = await data.fetchOrderBook(context, bookId)
  return snapshot === null ? new Map() : new Map([[bookId, snapshot]])
}
