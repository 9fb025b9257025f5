// The books of one connection: which were requested, which the venue has sent messages about, and which have a base that changes can be applied to.
//
//   asked ──acknowledged, or first message──► fed ──whole book──► built upon ──change, change, …
//                                              ▲ (changes held)      │ gap, half a book
//                                              └───── broken ◄───────┘
//
// Sizes are what a level holds from now on, never what was added: of changes that are held, the newest of each level is all that counts, and
// is right on top of a REST snapshot of any moment since.
import { ASK, BID, type BookSide, type BookWriter, type FeedSink, type SnapshotLevel } from '../../venue.ts'

/** More levels held for a book that does not come are given up: it is read again. */
const heldMax = 10_000

/** Where a message stands in its feed: a number that rises, or digits of a fixed width. */
export type Sequence = number | string

export interface WholeBook {
  /** Null: a level could not be read, and half a book is no book. */
  bids: readonly SnapshotLevel[] | null
  asks: readonly SnapshotLevel[] | null
  /** Venue time, epoch ms; null when it gives none. */
  eventTs: number | null
  /** Left out where the venue has none. */
  sequence?: Sequence
}

export interface BookChange {
  /** What each level holds now, 0 for a level that is gone. Null as above. */
  levels: readonly LevelChange[] | null
  eventTs: number | null
  sequence?: number
  /** The number that it follows; one less than its own where the venue does not say. */
  after?: number
}
export type LevelChange = readonly [side: BookSide, priceMicros: number, size: number]

interface Fed {
  isFed: boolean
  sequence: Sequence | null
  /** Changes since the book was last right; sizes by price, those of asks under the negative price. */
  held: Map<number, { size: number; eventTs: number | null }>
  /** Some of them are missing. */
  isTorn: boolean
}

export class FedBooks {
  /** What was left out: told twice or too late, and gaps. */
  readonly counts = { repeated: 0, late: 0, gaps: 0 }
  private readonly feed: FeedSink
  private readonly books = new Map<string, Fed>()

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

  /** Those that were not there. */
  add(bookIds: readonly string[]): string[] {
    const fresh = [...new Set(bookIds)].filter((bookId) => !this.books.has(bookId))
    for (const bookId of fresh) this.books.set(bookId, { isFed: false, sequence: null, held: new Map(), isTorn: false })
    return fresh
  }

  /** Those that were there. */
  remove(bookIds: readonly string[]): string[] {
    return bookIds.filter((bookId) => this.books.delete(bookId))
  }

  /** The venue has taken the subscription, and will send the whole book by itself. */
  acknowledged(bookId: string): void {
    const fed = this.books.get(bookId)
    if (fed !== undefined) fed.isFed = true
  }

  /** The venue has taken the subscription, and sends nothing before something changes. */
  unseeded(bookId: string): void {
    this.acknowledged(bookId)
    if (this.books.has(bookId) && this.feed.book(bookId)?.synced === false) this.feed.unseeded(bookId)
  }

  /** The venue does not have it. Ingest lets go of it. */
  refused(bookId: string, reason: string): void {
    if (this.books.has(bookId)) this.feed.refused(bookId, reason)
  }

  /** The subscription behind it is gone, or something of it was lost. */
  broken(bookId: string, reason: string): void {
    if (this.books.has(bookId)) this.feed.broken(bookId, reason)
  }

  /** Something was lost before the message at hand, by a count that is not the book's own. */
  torn(bookId: string): void {
    const fed = this.books.get(bookId)
    if (fed !== undefined) this.tear(bookId, fed, this.feed.book(bookId))
  }

  whole(bookId: string, { bids, asks, eventTs, sequence }: WholeBook, recvTs: number): void {
    const fed = this.books.get(bookId)
    if (fed === undefined) return
    fed.isFed = true
    if (sequence !== undefined && fed.sequence !== null && sequence < fed.sequence) {
      this.counts.late++
      return
    }
    const writer = this.feed.book(bookId)
    if (bids === null || asks === null) {
      this.unreadable(bookId)
      return
    }
    if (sequence !== undefined) fed.sequence = sequence
    fed.held.clear()
    fed.isTorn = false
    if (writer === undefined) return
    writer.beginSnapshot()
    const isWritten = writeAll(writer, [...bids.map(onSide(BID)), ...asks.map(onSide(ASK))])
    if (isWritten) writer.commit(eventTs, recvTs)
    else this.unreadable(bookId)
  }

  change(bookId: string, { levels, eventTs, sequence, after }: BookChange, recvTs: number): void {
    const fed = this.books.get(bookId)
    if (fed === undefined) return
    fed.isFed = true
    const writer = this.feed.book(bookId)
    if (sequence !== undefined) {
      const before = fed.sequence === null ? null : Number(fed.sequence)
      if (before !== null && sequence <= before) {
        this.counts.repeated++
        return
      }
      const isNext = before === null || (after ?? sequence - 1) <= before
      fed.sequence = sequence
      if (!isNext) this.tear(bookId, fed, writer)
    } else if (writer?.synced === true && !writer.accepts(eventTs)) {
      this.counts.late++
      writer.refused(recvTs)
      return
    }
    if (writer === undefined) return
    if (levels === null) this.unreadable(bookId)
    else if (!writer.synced) this.hold(fed, levels, eventTs)
    else if (writeAll(writer, levels)) writer.commit(eventTs, recvTs)
    else this.unreadable(bookId)
  }

  /** A REST snapshot stands in the book: what changed meanwhile goes on top of it. */
  snapshotWritten(bookId: string, recvTs: number): void {
    const fed = this.books.get(bookId)
    const writer = this.feed.book(bookId)
    if (fed === undefined || writer?.synced !== true) return
    const { held, isTorn } = fed
    fed.held = new Map()
    fed.isTorn = false
    // It may be from before what was lost.
    if (isTorn) this.feed.broken(bookId, 'gap')
    const newer = [...held].filter(([, { eventTs }]) => writer.accepts(eventTs))
    if (isTorn || newer.length === 0) return
    const eventTs = newer.reduce<number | null>((most, [, change]) => latest(most, change.eventTs), null)
    if (writeAll(writer, newer.map(levelOf))) writer.commit(eventTs, recvTs)
    else this.unreadable(bookId)
  }

  /** What follows is held, until a book comes that has what was lost. */
  private tear(bookId: string, fed: Fed, writer: BookWriter | undefined): void {
    this.counts.gaps++
    fed.held.clear()
    if (writer?.synced === true) this.feed.broken(bookId, 'gap')
    else fed.isTorn = true
  }

  private unreadable(bookId: string): void {
    // A snapshot half written is thrown away with it.
    this.feed.malformed(`a level of ${bookId}`)
    this.feed.broken(bookId, 'unreadable')
  }

  private hold(fed: Fed, levels: readonly LevelChange[], eventTs: number | null): void {
    for (const [side, micros, size] of levels) fed.held.set(side === BID ? micros : -micros, { size, eventTs })
    if (fed.held.size <= heldMax) return
    fed.held.clear()
    fed.isTorn = true
  }
}

/** False when the book refuses one of them: it is no longer right then. */
const writeAll = (writer: BookWriter, levels: readonly LevelChange[]): boolean =>
  levels.every(([side, micros, size]) => writer.set(side, micros, size))

const onSide =
  (side: BookSide) =>
  ([micros, size]: SnapshotLevel): LevelChange => [side, micros, size]

const levelOf = ([key, { size }]: readonly [key: number, held: { size: number }]): LevelChange =>
  key > 0 ? [BID, key, size] : [ASK, -key, size]

const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
