// Books: complete each time, numbered by the service, so that a missed one is detected.
import type { Book, BookFrame, ClientOp, ErrorFrame, ServerFrame } from './frames.ts'
import { keyOfMarket, keyOfVenue } from './frames.ts'
import { Subscription, type Wire } from './subscription.ts'

export interface BookEvent {
  type: 'book'
  venue: string
  /** As requested. */
  marketId: string
  /** `snapshot`: the first book, or the first after a gap or a stale period. */
  kind: 'snapshot' | 'update'
  book: Book
  sequence: number
  /** Books that the service skipped before this one because a newer one had arrived. */
  conflated: number
  ts: number
}

/** Books were lost on the way. The next book is complete again. */
export interface BookGapEvent {
  type: 'gap'
  venue: string
  marketId: string
  missed: number
}

export interface BookOptions {
  venue: string
  /** A market or an outcome, by any of its names. */
  marketId: string
  /** The best levels of each side; all by default. */
  depth?: 1 | 5 | 20 | 'all'
}

/** Tracks the sequence of one book. */
export class BookState {
  current: Book | null = null
  sequence: number | null = null

  /** How many books were missed before this one. */
  accept({ type, data, sequence, conflated = 0 }: Pick<BookFrame, 'type' | 'data' | 'sequence' | 'conflated'>): number {
    const before = this.sequence
    this.current = data
    this.sequence = sequence
    if (type === 'snapshot' || before === null) return 0
    return Math.max(0, sequence - (before + 1 + conflated))
  }

  forget(): void {
    this.current = null
    this.sequence = null
  }
}

const isBook = (frame: ServerFrame): frame is BookFrame => frame.type === 'snapshot' || frame.type === 'update'
const eventOf = ({ type: kind, venue, marketId, data: book, sequence, conflated = 0, ts }: BookFrame): BookEvent => {
  const type = 'book'
  return { type, venue, marketId, kind, book, sequence, conflated, ts }
}
/** A stale book is announced by an event; the subscription continues. */
const isStaleError = ({ code }: ErrorFrame): boolean => code === 'NETWORK_ERROR'

export class BookSubscription extends Subscription<BookEvent | BookGapEvent> {
  private readonly options: BookOptions
  private readonly held = new BookState()

  constructor(wire: Wire, options: BookOptions) {
    super(keyOfMarket('orderbook', options.venue, options.marketId), wire)
    this.options = options
  }

  /** Null: no live book. */
  get book(): Book | null {
    return this.held.current
  }

  protected subscribeMessage(): ClientOp {
    return { op: 'subscribe', channel: 'orderbook', ...this.options }
  }

  protected unsubscribeMessage(): ClientOp {
    const { venue, marketId } = this.options
    return { op: 'unsubscribe', channel: 'orderbook', venue, marketId }
  }

  protected received(frame: ServerFrame): void {
    if (!isBook(frame)) return
    this.resetBackoff()
    const missed = this.held.accept(frame)
    const { venue, marketId } = frame
    if (missed > 0) this.emit({ type: 'gap', venue, marketId, missed })
    this.emit(eventOf(frame))
  }

  protected override handlesError(error: ErrorFrame): boolean {
    if (!this.isLive || !isStaleError(error)) return false
    this.forget()
    this.emit({ type: 'stale', reason: error.message })
    return true
  }

  protected forget(): void {
    this.held.forget()
  }
}

/** About one market of a venue; the subscription itself continues. */
export interface MarketStaleEvent {
  type: 'marketStale'
  venue: string
  marketId: string
  reason: string
}

/** Every book of a venue that streams all of them on one socket. */
export class VenueBooksSubscription extends Subscription<BookEvent | BookGapEvent | MarketStaleEvent> {
  private readonly venue: string
  private readonly states = new Map<string, BookState>()

  constructor(wire: Wire, { venue }: { venue: string }) {
    super(keyOfVenue(venue), wire)
    this.venue = venue
  }

  /** Null: no live book. */
  book(marketId: string): Book | null {
    return this.states.get(marketId)?.current ?? null
  }

  protected subscribeMessage(): ClientOp {
    return { op: 'subscribeAll', channel: 'orderbook', venue: this.venue }
  }

  protected unsubscribeMessage(): ClientOp {
    return { op: 'unsubscribeAll', channel: 'orderbook', venue: this.venue }
  }

  protected received(frame: ServerFrame): void {
    if (!isBook(frame)) return
    this.resetBackoff()
    const { venue, marketId } = frame
    const state = this.states.get(marketId) ?? new BookState()
    this.states.set(marketId, state)
    const missed = state.accept(frame)
    if (missed > 0) this.emit({ type: 'gap', venue, marketId, missed })
    this.emit(eventOf(frame))
  }

  protected override handlesError(error: ErrorFrame): boolean {
    const { venue, marketId, message: reason } = error
    if (marketId === undefined) return false
    if (!isStaleError(error) || !this.isLive) return true
    this.states.delete(marketId)
    this.emit({ type: 'marketStale', venue: venue ?? this.venue, marketId, reason })
    return true
  }

  protected forget(): void {
    this.states.clear()
  }
}
