// What a market's books contribute to a replay: full depth where the tape has it, top of book before and after.
import { ASK, BID, type Book } from '#core/books/book'
import { ONE } from '#core/price'
import type { CoverageGap } from '#schemas/history'
import { changesOf, DepthBook, type DepthChange, type DepthLine } from '../depthBook.ts'
import type { MarketHistory } from '../tape.ts'
import { type EmittedFrame, linesOf, type Market, topsOf } from './sources.ts'
import type { Window } from './window.ts'

/** Full books held at once: each may have hundreds of levels. */
const booksHeld = 50

export async function* booksOf(
  tape: Pick<MarketHistory, 'replay'>,
  market: Market,
  window: Window,
  pageRows: number,
  signal: AbortSignal,
): AsyncGenerator<EmittedFrame[]> {
  const tops = (sinceMs: number, untilMs: number) => topsOf(tape, market, { sinceMs, untilMs }, pageRows, signal)
  const pages = linesOf<DepthLine>(tape, market, 'l2', window, pageRows, signal)
  const page = await pages.next()
  const first = page.done === true ? [] : page.value
  const whole = first.find(({ type }) => type === 'start' || type === 'snapshot')
  if (whole === undefined) {
    await pages.return(undefined)
    yield* tops(window.sinceMs, window.untilMs)
    return
  }
  if (whole.recvTs > window.sinceMs) yield* tops(window.sinceMs, whole.recvTs - 1)
  const depth = new DepthFrames(window.sinceMs)
  const framesOf = async function* (all: Iterable<EmittedFrame | Absent>): AsyncGenerator<EmittedFrame[]> {
    for (const piece of inPieces(all)) {
      if (Array.isArray(piece)) yield piece
      else yield* tops(piece.fromMs, piece.toMs)
    }
  }
  yield* framesOf(depth.of(first))
  for await (const lines of pages) yield* framesOf(depth.of(lines))
  yield* framesOf(depth.beginning())
  const absentSince = depth.book.absentAt(window.untilMs)
  if (absentSince !== null) yield* tops(Math.max(window.sinceMs, absentSince + 1), window.untilMs)
}

/** A period without full depth, both ends included: the best of both sides is what there is of it. */
interface Absent {
  fromMs: number
  toMs: number
}

class DepthFrames {
  readonly book = new DepthBook()
  private readonly sinceMs: number
  private hasBegun = false

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs
  }

  *of(lines: readonly DepthLine[]): Generator<EmittedFrame | Absent> {
    for (const change of changesOf(lines)) {
      if (change[0].recvTs > this.sinceMs) yield* this.beginning()
      yield* this.taken(change)
    }
  }

  /** The book as of the beginning of the window. */
  *beginning(): Generator<EmittedFrame> {
    if (this.hasBegun) return
    this.hasBegun = true
    if (this.book.isKnownAt(this.sinceMs)) yield this.bookFrame(this.sinceMs)
  }

  private *taken(change: DepthChange): Generator<EmittedFrame | Absent> {
    const { isNew, unknownSince, absentSince } = this.book.take(change)
    const at = change[0].recvTs
    if (at <= this.sinceMs) return
    if (absentSince !== null) yield { fromMs: Math.max(this.sinceMs, absentSince + 1), toMs: at - 1 }
    if (unknownSince !== null) {
      const [from, to] = [new Date(unknownSince).toISOString(), new Date(at).toISOString()]
      const data: CoverageGap = { kind: 'gap', from, to, reason: 'full depth is not on the tape' }
      yield { at, kind: 'gap', data }
    }
    if (isNew) yield this.bookFrame(at)
  }

  private bookFrame(at: number): EmittedFrame {
    const { book, ts } = this.book
    return { at, kind: 'book', data: { bids: levels(book, BID), asks: levels(book, ASK), timestamp: ts } }
  }
}

function* inPieces(all: Iterable<EmittedFrame | Absent>): Generator<EmittedFrame[] | Absent> {
  let piece: EmittedFrame[] = []
  for (const each of all) {
    const isAbsent = 'fromMs' in each
    if (!isAbsent) piece.push(each)
    if (piece.length > 0 && (isAbsent || piece.length >= booksHeld)) {
      yield piece
      piece = []
    }
    if (isAbsent && each.fromMs <= each.toMs) yield each
  }
  if (piece.length > 0) yield piece
}

const levels = (book: Book, side: typeof BID | typeof ASK) =>
  book.levels(side).map(({ priceMicros, size }) => ({ price: priceMicros / ONE, size }))
