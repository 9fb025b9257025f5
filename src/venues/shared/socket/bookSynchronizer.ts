// The books of one connection: which were requested, which the venue has sent messages about, and which have a base that changes can be applied to.
//
//   requested ─acknowledged or first message─► fed ─whole book──► accepts changes ──change, change, …
//                                              ▲ (changes held)      │ gap, half a book
//                                              └───── broken ◄───────┘
//
// Sizes are a level's new total, never an increment: of the held changes only the newest per level counts, and it is
// correct on top of a REST snapshot of any moment since.
import type { StaleReason } from '#schemas/staleReason'
import { ASK, BID, type BookSide, type BookWriter, type FeedSink, type SnapshotLevel } from '../../venue.ts'

/** Held levels of a book that does not come are dropped above this: it is read again. */
const heldMax = 10_000

/** Position of a message in its feed: an increasing number, or digits of a fixed width. */
export type Sequence = number | string

export interface FullDepthBook {
  /** Null: a level could not be read, which makes the book unusable. */
  bids: readonly SnapshotLevel[] | null
  asks: readonly SnapshotLevel[] | null
  /** Venue time, epoch ms; null when it gives none. */
  eventTs: number | null
  /** Left out when the venue has none. */
  sequence?: Sequence
  /** As for `beginSnapshot`; not at a venue that sends whole books as its changes. */
  isRepeat?: boolean
}

export interface BookChange {
  /** Each level's new size, 0 for a level that is gone. Null as above. */
  levels: readonly LevelChange[] | null
  eventTs: number | null
  sequence?: number
  /** The sequence number it follows; defaults to one less than its own. */
  after?: number
}
export type LevelChange = readonly [side: BookSide, priceMicros: number, size: number]

interface BookState {
  isFed: boolean
  /** A message about it came, readable or not. */
  isDelivered: boolean
  sequence: Sequence | null
  /** Changes since the book was last correct; sizes by price, with asks under the negative price. */
  held: Map<number, { size: number; eventTs: number | null }>
  /** Some changes are missing. */
  hasGap: boolean
}

/** No message with levels is shorter: it contains a market id, a price and a size. */
const levelsLengthMin = 64
/** Whether a text that is not valid JSON may be part of a message with levels. An HTML page of a proxy is not. */
export const mayHaveLevels = (text: string): boolean => text.length >= levelsLengthMin && /^\s*[{[]/.test(text)

export class BookSynchronizer {
  /** Skipped messages (repeated or late), and gaps. */
  readonly counts = { repeated: 0, late: 0, gaps: 0 }
  private readonly feed: FeedSink
  private readonly books = new Map<string, BookState>()

  constructor(feed: FeedSink) {
    this.feed = feed
  }

  get ids(): string[] {
    return [...this.books.keys()]
  }

  has(bookId: string): boolean {
    return this.books.has(bookId)
  }

  isFed(bookId: string): boolean {
    return this.books.get(bookId)?.isFed === true
  }

  isDelivered(bookId: string): boolean {
    return this.books.get(bookId)?.isDelivered === true
  }

  /** Returns the new ones. */
  add(bookIds: readonly string[]): string[] {
    const fresh = [...new Set(bookIds)].filter((bookId) => !this.books.has(bookId))
    for (const bookId of fresh)
      this.books.set(bookId, { isFed: false, isDelivered: false, sequence: null, held: new Map(), hasGap: false })
    return fresh
  }

  /** Returns those that existed. */
  remove(bookIds: readonly string[]): string[] {
    return bookIds.filter((bookId) => this.books.delete(bookId))
  }

  /** The venue accepted the subscription and will send the whole book by itself. */
  acknowledged(bookId: string): void {
    const state = this.books.get(bookId)
    if (state !== undefined) state.isFed = true
  }

  /** The venue accepted the subscription and sends nothing until something changes. */
  unseeded(bookId: string): void {
    this.acknowledged(bookId)
    if (this.books.has(bookId) && this.feed.book(bookId)?.synced === false) this.feed.unseeded(bookId)
  }

  /** The venue does not have it. Ingest releases it. */
  refused(bookId: string, reason: string): void {
    if (this.books.has(bookId)) this.feed.refused(bookId, reason)
  }

  /** Its subscription is gone, or a message of it was lost. */
  broken(bookId: string, reason: StaleReason): void {
    if (this.books.has(bookId)) this.feed.broken(bookId, reason)
  }

  /** A message that names these books could not be read: what it changed is unknown, so they can no longer be trusted. */
  unread(bookIds: readonly unknown[]): void {
    for (const bookId of bookIds) if (typeof bookId === 'string') this.broken(bookId, 'unreadable')
  }

  /** A truncated JSON frame may have changed any of the books. */
  unreadFrame(text: string): void {
    if (mayHaveLevels(text)) this.unread(this.ids)
  }

  /** A message was lost before the current one, by a count that is not the book's own. */
  gapBefore(bookId: string): void {
    const state = this.books.get(bookId)
    if (state !== undefined) this.markGap(bookId, state, this.feed.book(bookId))
  }

  whole(bookId: string, { bids, asks, eventTs, sequence, isRepeat }: FullDepthBook, recvTs: number): void {
    const state = this.books.get(bookId)
    if (state === undefined) return
    state.isFed = true
    state.isDelivered = true
    if (sequence !== undefined && state.sequence !== null && sequence < state.sequence) {
      this.counts.late++
      return
    }
    const writer = this.feed.book(bookId)
    if (bids === null || asks === null) {
      this.unreadable(bookId)
      return
    }
    if (sequence !== undefined) state.sequence = sequence
    state.held.clear()
    state.hasGap = false
    if (writer === undefined) return
    writer.beginSnapshot(isRepeat)
    const isWritten = writeAll(writer, [...bids.map(onSide(BID)), ...asks.map(onSide(ASK))])
    if (isWritten) writer.commit(eventTs, recvTs)
    else this.unreadable(bookId)
  }

  change(bookId: string, { levels, eventTs, sequence, after }: BookChange, recvTs: number): void {
    const state = this.books.get(bookId)
    if (state === undefined) return
    const isFirst = !state.isDelivered
    state.isFed = true
    state.isDelivered = true
    const writer = this.feed.book(bookId)
    if (sequence !== undefined) {
      const before = state.sequence === null ? null : Number(state.sequence)
      if (before !== null && sequence <= before) {
        this.counts.repeated++
        return
      }
      const isNext = before === null || (after ?? sequence - 1) <= before
      state.sequence = sequence
      if (!isNext) this.markGap(bookId, state, writer)
    } else if (writer?.synced === true && !writer.accepts(eventTs)) {
      this.counts.late++
      writer.refused(recvTs)
      return
    }
    if (writer === undefined) return
    if (levels === null) this.unreadable(bookId)
    else if (!writer.synced) {
      this.hold(state, levels, eventTs)
      // A book whose feed had been silent waits for this message before it is read over REST.
      if (isFirst) this.feed.unseeded(bookId)
    } else if (writeAll(writer, levels)) writer.commit(eventTs, recvTs)
    else this.unreadable(bookId)
  }

  /** A REST snapshot was written: the changes since are applied on top of it. */
  snapshotWritten(bookId: string, recvTs: number): void {
    const state = this.books.get(bookId)
    const writer = this.feed.book(bookId)
    if (state === undefined || writer?.synced !== true) return
    const { held, hasGap } = state
    state.held = new Map()
    state.hasGap = false
    // It may predate what was lost.
    if (hasGap) this.feed.broken(bookId, 'gap')
    const newer = [...held].filter(([, { eventTs }]) => writer.accepts(eventTs))
    if (hasGap || newer.length === 0) return
    const eventTs = newer.reduce<number | null>((most, [, change]) => latest(most, change.eventTs), null)
    if (writeAll(writer, newer.map(levelOf))) writer.commit(eventTs, recvTs)
    else this.unreadable(bookId)
  }

  /** Holds what follows until a book arrives that includes what was lost. */
  private markGap(bookId: string, state: BookState, writer: BookWriter | undefined): void {
    this.counts.gaps++
    state.held.clear()
    if (writer?.synced === true) this.feed.broken(bookId, 'gap')
    else state.hasGap = true
  }

  private unreadable(bookId: string): void {
    // A half-written snapshot is discarded with it.
    this.feed.malformed(`a level of ${bookId}`)
    this.feed.broken(bookId, 'unreadable')
  }

  private hold(state: BookState, levels: readonly LevelChange[], eventTs: number | null): void {
    for (const [side, micros, size] of levels) state.held.set(side === BID ? micros : -micros, { size, eventTs })
    if (state.held.size <= heldMax) return
    state.held.clear()
    state.hasGap = true
  }
}

/** False when the book refuses one of them: it is no longer correct then. */
const writeAll = (writer: BookWriter, levels: readonly LevelChange[]): boolean =>
  levels.every(([side, micros, size]) => writer.set(side, micros, size))

const onSide =
  (side: BookSide) =>
  ([micros, size]: SnapshotLevel): LevelChange => [side, micros, size]

const levelOf = ([key, { size }]: readonly [key: number, held: { size: number }]): LevelChange =>
  key > 0 ? [BID, key, size] : [ASK, -key, size]

const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
