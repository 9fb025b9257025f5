// Reads the watched books over REST, for venues without a usable live feed: as many requests at a time as the venue allows, the most overdue book
// first.
import type { Clock, Timer } from '#core/clock'
import type { BookSnapshot, VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { polledStaleAfterMs } from './pollerPool.ts'
import { PollSchedule } from './pollSchedule.ts'

export interface PollerOptions {
  data: VenueData
  context: VenueContext
  clock: Clock
  /** Books of the venue's feed are stale and wait to be read: they have priority for requests. */
  isRepairing?(): boolean
  onSnapshot(snapshot: BookSnapshot): void
  onMissing(bookId: string): void
  onFailed(bookIds: readonly string[], error: unknown): void
}

export class Poller {
  private timer: Timer | null = null
  private stopped = true
  private reading = 0
  private waking = false
  private readonly schedule: PollSchedule
  /** How long a read can wait, so that its book does not become stale. */
  private readonly deferMs: number
  private readonly options: PollerOptions

  constructor(options: PollerOptions) {
    this.options = options
    this.schedule = new PollSchedule(options.data)
    this.deferMs = Math.max(0, polledStaleAfterMs(options.data) / 2 - options.data.poll.intervalMs)
  }

  /** Recent average time between reads of the book; null until it was read twice. */
  intervalOf(bookId: string): number | null {
    return this.schedule.intervalOf(bookId)
  }

  /** Whether that was measured for the first time since the book's class changed. */
  hasNewPace(bookId: string): boolean {
    return this.schedule.hasNewPace(bookId)
  }

  /** Whether the book is, and will be, read often enough to serve as an executable leg. */
  keepsLegPace(bookId: string): boolean {
    return this.schedule.keepsLegPace(bookId)
  }

  start(): void {
    if (!this.stopped) return
    this.stopped = false
    this.wake()
  }

  /** The book is wanted: it is due at once. */
  add(bookId: string): void {
    this.schedule.add(bookId, this.options.clock.monotonic())
    this.wake()
  }

  remove(bookId: string): void {
    this.schedule.remove(bookId)
  }

  /** Books that come first; `near` best first. */
  rank(readers: ReadonlySet<string>, near: readonly string[]): void {
    this.schedule.rank(readers, near)
    this.wake()
  }

  stop(): void {
    this.stopped = true
    this.timer?.cancel()
    this.timer = null
  }

  /** Books wanted at the same moment are read together when the venue supports batch reads. */
  private wake(): void {
    if (this.waking || this.stopped) return
    this.waking = true
    queueMicrotask(() => {
      this.waking = false
      this.pump()
    })
  }

  /** When the book was last read, on the monotonic clock; null when the read failed. */
  readAt(bookId: string): number | null {
    return this.schedule.readAt(bookId)
  }

  /** A venue may return again what was read a moment ago. */
  private readAtOf({ recvTs }: BookSnapshot): number {
    const { clock } = this.options
    return clock.monotonic() - Math.max(0, clock.now() - recvTs)
  }

  private pump(): void {
    if (this.stopped) return
    const { data, clock } = this.options
    this.timer?.cancel()
    this.timer = null
    const deferMs = this.options.isRepairing?.() === true ? this.deferMs : 0
    while (this.reading < data.poll.concurrency) {
      const group = this.schedule.take(clock.monotonic(), deferMs)
      if (group.length === 0) {
        const dueAt = this.schedule.nextDueAt(deferMs)
        if (dueAt !== null) this.timer = clock.after(Math.max(1, dueAt - clock.monotonic()), () => this.pump())
        return
      }
      this.reading++
      void this.read(group).then(() => {
        this.reading--
        this.pump()
      })
    }
  }

  /** Never rejects. */
  private async read(group: readonly string[]): Promise<void> {
    const { data, context, onSnapshot, onMissing, onFailed } = this.options
    let books: ReadonlyMap<string, BookSnapshot> | null = null
    try {
      books =
        data.fetchOrderBooks === undefined
          ? await single(data, context, group[0]!)
          : await data.fetchOrderBooks(context, group)
    } catch (error) {
      if (!this.stopped) onFailed(group, error)
    }
    for (const bookId of group) {
      const snapshot = books?.get(bookId)
      this.schedule.done(bookId, snapshot === undefined ? null : this.readAtOf(snapshot))
      if (books === null || this.stopped) continue
      if (snapshot === undefined) onMissing(bookId)
      else onSnapshot(snapshot)
    }
  }
}

async function single(data: VenueData, context: VenueContext, bookId: string): Promise<Map<string, BookSnapshot>> {
  const snapshot = await data.fetchOrderBook(context, bookId)
  return snapshot === null ? new Map() : new Map([[bookId, snapshot]])
}
