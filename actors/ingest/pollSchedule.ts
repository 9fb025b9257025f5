// Which book is read next at a polled venue. Pure.
//
// legs of nearly executable rows ─► readers ─► the rest          the longest due first in each class
//     └────── one read in four: the lower-class book that waited longest ──────┘
//
// Legs go first because they must not be late, and their number is limited so that readers' books keep their pace.
import { defaultRequestsPerSecond, type VenueData } from '#venues/venue'
import { batchMax } from './pollerPool.ts'

/** How often a near leg is read if the venue allows it. */
export const nearIntervalMs = 3_000
/** Reads of a leg further apart than this would let it expire in between: a surface checks once a second for five-second-old books. */
export const legSkewMaxMs = 4_000
/** Share of reads guaranteed to classes below the first one due. */
const lowerShare = 0.25
/** Weight of the newest gap between two reads of a book. */
const newestWeight = 0.3

type Class = 0 | 1 | 2
const nearClass = 0
const readersClass = 1
const restClass = 2

interface Polled {
  of: Class
  /** When it is due next; initially when it was wanted. */
  dueAt: number
  takenAt: number | null
  reading: boolean
  /** Of the newest successful read, epoch ms. */
  readAt: number | null
  /** Recent average time between reads. */
  intervalMs: number | null
  /** Between its two newest reads; null when the first was in another class. */
  gapMs: number | null
  /** Reads since it entered its class. */
  readings: number
}

export type PollPace = Pick<VenueData, 'poll' | 'fetchOrderBooks' | 'requestsPerSecond'>

export class PollSchedule {
  private readonly books = new Map<string, Polled>()
  private readonly intervals: Record<Class, number>
  private readonly size: number
  private readonly booksPerSecond: number
  private readers: ReadonlySet<string> = new Set()
  private near: ReadonlySet<string> = new Set()
  private lowerCredit = 0

  constructor(pace: PollPace) {
    const { intervalMs } = pace.poll
    this.size = pace.fetchOrderBooks === undefined ? 1 : batchMax
    this.booksPerSecond = (pace.requestsPerSecond ?? defaultRequestsPerSecond) * this.size
    const requestMs = 1_000 / (pace.requestsPerSecond ?? defaultRequestsPerSecond)
    // A due leg waits for the request in flight, and then for its own.
    const inTimeMs = Math.max(requestMs, legSkewMaxMs - 2 * requestMs)
    // A venue whose interval exceeds a leg's maximum age does not get more requests for it.
    const nearMs = intervalMs > 5_000 ? intervalMs : Math.min(intervalMs, nearIntervalMs, inTimeMs)
    this.intervals = [nearMs, intervalMs, intervalMs]
  }

  add(bookId: string, now: number): void {
    if (this.books.has(bookId)) return
    const of = this.classOf(bookId)
    this.books.set(bookId, {
      of,
      dueAt: now,
      takenAt: null,
      reading: false,
      readAt: null,
      intervalMs: null,
      gapMs: null,
      readings: 0,
    })
  }

  remove(bookId: string): void {
    this.books.delete(bookId)
  }

  /** `near`: best first. Only as many are hurried as can be read in time besides the readers' books; the others wait like the rest. */
  rank(readers: ReadonlySet<string>, near: readonly string[]): void {
    const perReader = 1_000 / this.intervals[readersClass]
    let capacity = this.booksPerSecond * (1 - lowerShare) - readers.size * perReader
    const hurried = new Set<string>()
    for (const bookId of near) {
      capacity -= 1_000 / this.intervals[nearClass] - (readers.has(bookId) ? perReader : 0)
      if (capacity < 0) break
      hurried.add(bookId)
    }
    this.readers = readers
    this.near = hurried
    for (const [bookId, book] of this.books) {
      const of = this.classOf(bookId)
      if (of === book.of) continue
      book.of = of
      book.readings = 0
      book.gapMs = null
      if (book.takenAt !== null) book.dueAt = book.takenAt + this.intervals[of]
    }
  }

  /**
   * What to read now in one request; empty when nothing is due. `deferMs`: how long books that are no near legs can wait beyond their time.
   */
  take(now: number, deferMs = 0): string[] {
    const due: [bookId: string, book: Polled][] = []
    for (const entry of this.books) if (!entry[1].reading && dueAtOf(entry[1], deferMs) <= now) due.push(entry)
    if (due.length === 0) return []
    // A book never read comes first: its reader sees nothing at all.
    const first = (book: Polled): number => (book.takenAt === null ? 0 : 1)
    due.sort(([, a], [, b]) => a.of - b.of || first(a) - first(b) || a.dueAt - b.dueAt)
    const group = due.slice(0, this.size)
    const top = due[0]![1].of
    // A lowest-class book read while nothing else is due counts against the guaranteed share.
    if (top === restClass) this.lowerCredit = Math.max(0, this.lowerCredit - group.length)
    const below = due.slice(this.size).filter(([, { of }]) => of > top)
    // The guaranteed share does not accumulate while nothing waits for it.
    if (top !== restClass) this.lowerCredit = below.length === 0 ? 0 : this.lowerCredit + lowerShare * this.size
    const given = Math.min(Math.floor(this.lowerCredit), below.length)
    if (given > 0) {
      this.lowerCredit -= given
      below.sort(([, a], [, b]) => a.dueAt - b.dueAt)
      group.splice(group.length - given, given, ...below.slice(0, given))
    }
    for (const [, book] of group) {
      book.reading = true
      book.takenAt = now
      book.dueAt = now + this.intervals[book.of]
    }
    return group.map(([bookId]) => bookId)
  }

  /** When the next book is due; null when none waits. */
  nextDueAt(deferMs = 0): number | null {
    let next: number | null = null
    for (const book of this.books.values()) {
      const dueAt = dueAtOf(book, deferMs)
      if (!book.reading && (next === null || dueAt < next)) next = dueAt
    }
    return next
  }

  /** The read is over. `readAt`: its time if successful, otherwise null. */
  done(bookId: string, readAt: number | null): void {
    const book = this.books.get(bookId)
    if (book === undefined) return
    book.reading = false
    // A venue's outage does not count towards its pace.
    if (readAt === null) {
      book.readAt = null
      book.readings = 0
      book.gapMs = null
    }
    if (readAt === null || (book.readAt !== null && readAt <= book.readAt)) return
    book.readings++
    // The first gap within the class outweighs all before it; the one across the change is meaningless.
    if (book.readAt !== null && book.readings > 1) {
      const gap = readAt - book.readAt
      book.gapMs = gap
      const isFirst = book.intervalMs === null || book.readings === 2
      book.intervalMs = isFirst ? gap : book.intervalMs! + newestWeight * (gap - book.intervalMs!)
    }
    book.readAt = readAt
  }

  /** Recent average time between reads of this book; null until it was read twice. */
  intervalOf(bookId: string): number | null {
    const intervalMs = this.books.get(bookId)?.intervalMs
    return intervalMs === undefined || intervalMs === null ? null : Math.round(intervalMs)
  }

  /** The second read in its class has just finished: its pace is newly known. */
  hasNewPace(bookId: string): boolean {
    return this.books.get(bookId)?.readings === 2
  }

  /** Whether it is, and will be, read often enough to serve as an executable leg. */
  keepsLegPace(bookId: string): boolean {
    const book = this.books.get(bookId)
    return (
      book !== undefined &&
      this.intervals[book.of] <= nearIntervalMs &&
      book.gapMs !== null &&
      book.gapMs <= legSkewMaxMs
    )
  }

  /** Of the last successful read; null when there was none, or the newest one failed. */
  readAt(bookId: string): number | null {
    return this.books.get(bookId)?.readAt ?? null
  }

  private classOf(bookId: string): Class {
    return this.near.has(bookId) ? nearClass : this.readers.has(bookId) ? readersClass : restClass
  }
}

/** A book never read, or whose last read failed, does not wait. */
const dueAtOf = ({ of, dueAt, readAt }: Polled, deferMs: number): number =>
  of === nearClass || readAt === null ? dueAt : dueAt + deferMs
