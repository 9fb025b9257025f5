// The surroundings of a session for tests: real live books, and a record of everything the session sends.

import { LiveBook } from '#core/books/liveBook'
import type { StaleReason } from '#schemas/staleReason'
import type { TradeUpdate } from '#schemas/topics'
import type { VenueSlug } from '#schemas/venues'
import { ASK, BID, type FeedSink, type StreamSession } from '#venues/venue'

export interface StreamWorld {
  session: StreamSession
  books: Map<string, LiveBook>
  /** Messages that the session sent on its connection. */
  sent: string[]
  trades: TradeUpdate[]
  /** Its events other than books, trades and messages, in order: `broken #10 gap`. */
  events: string[]
  /** Sends objects, or texts unchanged, as frames; returns how the last one was classified. */
  receive(...frames: unknown[]): boolean
  /** Best first, prices in micros; null unless the book is live. */
  levels(bookId: string): { bids: [number, number][]; asks: [number, number][] } | null
}

export function streamWorld(venue: VenueSlug, bookIds: readonly string[], open: (feed: FeedSink) => StreamSession) {
  const sent: string[] = []
  const events: string[] = []
  const trades: TradeUpdate[] = []
  const broken = (id: string, reason: StaleReason): void => {
    events.push(`broken ${id} ${reason}`)
    books.get(id)?.markStale(reason)
  }
  const books = new Map(
    bookIds.map((marketId) => [
      marketId,
      new LiveBook({
        venue,
        marketId,
        tickMicros: null,
        onDirty: () => undefined,
        onBroken: (_book, reason) => events.push(`broken ${marketId} ${reason}`),
      }),
    ]),
  )
  const session = open({
    send: (text) => sent.push(text),
    unseeded: (id) => events.push(`unseeded ${id}`),
    book: (id) => books.get(id),
    broken,
    trade: (trade) => trades.push(trade),
    lastTrade: (id, micros) => events.push(`lastTrade ${id} ${micros}`),
    tickSize: (id, micros) => events.push(`tickSize ${id} ${micros}`),
    marketStatus: (id, status) => events.push(`status ${id} ${status}`),
    refused: (id, reason) => events.push(`refused ${id} ${reason}`),
    failed: (reason) => events.push(`failed ${reason}`),
    draining: () => events.push('draining'),
    malformed: (reason) => events.push(`malformed ${reason}`),
  })
  let recvTs = 1_800_000_000_000
  const world: StreamWorld = {
    session,
    books,
    sent,
    trades,
    events,
    receive(...frames) {
      let isData = false
      for (const frame of frames)
        isData = session.receive(Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), recvTs++)
      return isData
    },
    levels: (bookId) => levelsOf(books.get(bookId)),
  }
  return world
}

export function levelsOf(book: LiveBook | undefined): ReturnType<StreamWorld['levels']> {
  if (book?.synced !== true) return null
  const prices = new Int32Array(10_000)
  const sizes = new Float64Array(10_000)
  const side = (of: typeof BID | typeof ASK): [number, number][] =>
    Array.from({ length: book.copyLevels(of, prices.length, prices, sizes) }, (_, i) => [prices[i]!, sizes[i]!])
  return { bids: side(BID), asks: side(ASK) }
}

/** What ingest does with a book that was read over REST. */
export function writeSnapshot(
  { books, session }: Pick<StreamWorld, 'books' | 'session'>,
  bookId: string,
  { bids, asks }: { bids: readonly [number, number][]; asks: readonly [number, number][] },
  eventTs: number | null = null,
): void {
  const book = books.get(bookId)!
  book.beginSnapshot()
  for (const [micros, size] of bids) book.set(BID, micros, size)
  for (const [micros, size] of asks) book.set(ASK, micros, size)
  book.commit(eventTs, 1_790_000_000_000)
  session.snapshotWritten?.(bookId, 1_790_000_000_000)
}
