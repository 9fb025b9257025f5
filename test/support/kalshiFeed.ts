// The surroundings of a Kalshi session for tests: real live books, and a record of everything the session sends.
import { LiveBook } from '#core/books/liveBook'
import { KalshiSession, type SessionOptions } from '#venues/kalshi/data/session'
import type { FeedSink } from '#venues/venue'

/** Counts what it publishes. */
export class CountedBook extends LiveBook {
  commits = 0

  override commit(eventTs: number | null, recvTs: number) {
    this.commits++
    return super.commit(eventTs, recvTs)
  }
}

export interface KalshiWorld {
  session: KalshiSession
  books: Map<string, CountedBook>
  /** What the session reported to the feed, except books, in order. */
  events: { kind: string; id?: string; reason?: string; value?: unknown }[]
  /** Times a book was given up, by reason. */
  broken: Record<string, number>
  /** Sends objects as frames. */
  receive(...frames: unknown[]): void
  /** The book's published bytes and whether they are valid. */
  view(ticker: string): string
}

/** `subscribe: false`: nothing is subscribed yet, and the caller wants to see the commands. */
export function kalshiWorld(
  tickers: readonly string[],
  options: SessionOptions & { subscribe?: boolean } = { yesPrice: false },
): KalshiWorld {
  const events: KalshiWorld['events'] = []
  const broken: Record<string, number> = {}
  const books = new Map(tickers.map((marketId) => [marketId, countedBook(marketId, events)]))
  const feed: FeedSink = {
    send: (value) => events.push({ kind: 'send', value }),
    unseeded: (id) => events.push({ kind: 'unseeded', id }),
    book: (id) => books.get(id),
    broken(id, reason) {
      broken[reason] = (broken[reason] ?? 0) + 1
      events.push({ kind: 'broken', id, reason })
      books.get(id)?.markStale(reason)
    },
    trade: (value) => events.push({ kind: 'trade', id: value.marketId, value }),
    lastTrade: (id, value) => events.push({ kind: 'lastTrade', id, value }),
    tickSize: (id, value) => events.push({ kind: 'tickSize', id, value }),
    marketStatus: (id, value) => events.push({ kind: 'marketStatus', id, value }),
    refused: (id, reason) => events.push({ kind: 'refused', id, reason }),
    failed: (reason) => events.push({ kind: 'failed', reason }),
    malformed: (reason) => events.push({ kind: 'malformed', reason }),
  }
  const session = new KalshiSession(feed, options)
  if (options.subscribe !== false) session.subscribe(tickers)
  let recvTs = 1_790_000_000_000
  return {
    session,
    books,
    events,
    broken,
    receive(...frames) {
      for (const frame of frames)
        session.receive(Buffer.isBuffer(frame) ? frame : Buffer.from(JSON.stringify(frame)), recvTs++)
    },
    view(ticker) {
      const book = books.get(ticker)
      return book === undefined ? 'no book' : `${book.state} ${book.core().toString()}`
    },
  }
}

const countedBook = (marketId: string, events: KalshiWorld['events']): CountedBook =>
  new CountedBook({
    venue: 'kalshi',
    marketId,
    tickMicros: 10_000,
    onDirty: () => undefined,
    onBroken: (_book, reason) => events.push({ kind: 'rejected by the book', id: marketId, reason }),
  })

type WireLevel = readonly [price: string, size: string]

/** Frames in the venue's own field order; own values. */
export const snapshotFrame = (
  sid: number,
  seq: number,
  ticker: string,
  yes: readonly WireLevel[],
  no: readonly WireLevel[],
): object => ({
  type: 'orderbook_snapshot',
  sid,
  seq,
  msg: {
    market_ticker: ticker,
    market_id: '00000000-0000-4000-8000-000000000001',
    ...(yes.length > 0 ? { yes_dollars_fp: yes } : {}),
    ...(no.length > 0 ? { no_dollars_fp: no } : {}),
  },
})

export const deltaFrame = (
  sid: number,
  seq: number,
  ticker: string,
  side: 'yes' | 'no',
  price: string,
  delta: string,
  tsMs: number,
): object => ({
  type: 'orderbook_delta',
  sid,
  seq,
  msg: {
    market_ticker: ticker,
    market_id: '00000000-0000-4000-8000-000000000001',
    price_dollars: price,
    delta_fp: delta,
    side,
    ts: new Date(tsMs).toISOString(),
    ts_ms: tsMs,
  },
})

export const okFrame = (sid: number, seq: number): object => ({
  type: 'ok',
  id: 9,
  sid,
  seq,
  msg: { market_tickers: [] },
})
export const ackFrame = (channel: string, sid: number): object => ({ id: 1, type: 'subscribed', msg: { channel, sid } })

/** A small generator with a seed: the same seed gives the same run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
