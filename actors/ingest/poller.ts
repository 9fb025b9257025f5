// Reads the watched books over REST in a round, for venues without a usable live feed. One round at a time.
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
  private readonly options: PollerOptions

  constructor(options: PollerOptions) {
    this.options = options
  }

  start(): void {
    if (!this.stopped) return
    this.stopped = false
    void this.round()
  }

  stop(): void {
    this.stopped = true
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
    // The cadence counts from start to start; a slow round is followed at once by the next.
    const restMs = Math.max(10, data.poll.intervalMs - (clock.now() - startedAt))
    this.timer = clock.after(restMs, () => void this.round())
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
