// Reads the trades of watched books for the tape, at venues without a usable live feed. One read at a time, with pauses, so that books do not have to
// wait for it; the outcome that was read longest ago comes first.
//
// rows of a read ─┬─ known from the last read ─► nothing
//                 ├─ new ──────────────────────► tape
//                 └─ none of them known ───────► tape, and a gap: what lies between the two reads may be missing
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { Trade } from '#schemas/marketData'
import type { VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

/** Rows per read: as many as a venue returns at once. */
export const tradesPerRead = 500
/** Minimum interval between reads of one book's trades, however few books there are. */
const bookEveryMs = 15_000
const failureCapMs = 300_000

export interface TradePollerOptions {
  data: Pick<VenueData, 'fetchTrades' | 'poll'>
  context: VenueContext
  clock: Clock
  random(): number
  /** Books that are live now. */
  books(): Iterable<string>
  /** Trades not seen in an earlier read, newest first; `until`: when the read began, epoch ms; null when its response proves nothing. */
  onTrades(bookId: string, trades: readonly Trade[], until: number | null): void
  onGap(bookId: string): void
  log: Log
}

interface Read {
  /** On the monotonic clock. */
  at: number
  ids: ReadonlySet<string>
}

export class TradePoller {
  private readonly reads = new Map<string, Read>()
  private timer: Timer | null = null
  private stopped = true
  private failures = 0
  private readonly options: TradePollerOptions

  constructor(options: TradePollerOptions) {
    this.options = options
  }

  start(): void {
    if (!this.stopped) return
    this.stopped = false
    this.rest()
  }

  stop(): void {
    this.stopped = true
    this.timer?.cancel()
  }

  private rest(): void {
    if (this.stopped) return
    const { clock, random, data } = this.options
    const everyMs = data.poll.tradesEveryMs ?? failureCapMs
    const waitMs =
      this.failures === 0
        ? everyMs
        : everyMs + backoffMs(this.failures, { baseMs: everyMs, capMs: failureCapMs }, random)
    this.timer = clock.after(waitMs, () => void this.turn().then(() => this.rest()))
  }

  /** Never rejects. */
  private async turn(): Promise<void> {
    const { data, context, clock, log } = this.options
    const bookId = this.next()
    if (bookId === null || data.fetchTrades === undefined) return
    try {
      // The book's own side: every venue names it like the book.
      const ref = { outcomeId: bookId, marketId: bookId, eventId: null, metadata: {} }
      const until = clock.now()
      this.took(bookId, until, await data.fetchTrades(context, ref, { limit: tradesPerRead }))
      this.failures = 0
    } catch (error) {
      // It was read even so: a book that always fails would block the others.
      this.reads.set(bookId, { at: clock.monotonic(), ids: this.reads.get(bookId)?.ids ?? new Set() })
      if (this.failures++ === 0 && !this.stopped) log.warn({ bookId, err: error }, 'failed to read trades')
    }
  }

  /** The live book read longest ago, unread ones first; null when none is due. */
  private next(): string | null {
    const { books, clock } = this.options
    const live = new Set(books())
    for (const bookId of this.reads.keys()) if (!live.has(bookId)) this.reads.delete(bookId)
    let due: string | null = null
    let since = clock.monotonic() - bookEveryMs
    for (const bookId of live) {
      const at = this.reads.get(bookId)?.at ?? Number.NEGATIVE_INFINITY
      if (at <= since && (due === null || at < since)) [due, since] = [bookId, at]
    }
    return due
  }

  private took(bookId: string, until: number, trades: readonly Trade[]): void {
    if (this.stopped) return
    const { clock, onTrades, onGap } = this.options
    const last = this.reads.get(bookId)
    const ids = new Set(trades.map(({ id }) => id))
    const fresh = trades.filter(({ id }) => last?.ids.has(id) !== true)
    const isTorn = last !== undefined && last.ids.size > 0 && trades.length > 0 && fresh.length === trades.length
    // An empty response after a full one proves nothing about what was there.
    const isUnproven = ids.size === 0 && last !== undefined && last.ids.size > 0
    this.reads.set(bookId, { at: clock.monotonic(), ids: isUnproven ? last.ids : ids })
    if (isTorn) onGap(bookId)
    onTrades(bookId, fresh, isUnproven ? null : until)
  }
}
