// One connection's protocol state: which markets were requested, the sid of each, and whether deltas can be applied to its book.
//
//   requested ─snapshot─► live ──delta, delta, …──► live
//     ▲                     │ gap on its sid, negative level, crossed, best differs from the venue's
//     └──── broken ◄────────┘        (deltas ignored until the next snapshot)
//
// Both sides of Kalshi's book are bids; a NO bid at q is a YES ask at 1 − q. The book kept here is the YES book.

import { ONE, toProbability, usdOf } from '#core/price'
import type { StaleReason } from '#schemas/staleReason'
import type { VenueSlug } from '#schemas/venues'
import { ASK, BID, type BookWriter, type FeedSink, type StreamSession } from '../../venue.ts'
import { crosses, emptySize, isCrossed } from './crossedDeltaBuffer.ts'
import { lifecycleStatus } from './enumMaps.ts'
import { tickMicrosOfStructure } from './grid.ts'
import { noSid, nothing, quoted, type Watched, watched } from './marketState.ts'
import { type ControlHandler, parseFrame } from './parse.ts'
import { yesPriceByEvidence } from './priceScale.ts'
import { FrameScanner, type FrameTrade } from './scan.ts'
import { Sequence } from './sequence.ts'
import { SubscriptionManager } from './subscriptionManager.ts'

/** Consecutive tickers that must disagree with our best before the book is marked stale. With a lost level they disagree every second. */
const mismatchesMax = 2

interface Subscription {
  sid: number
  sequence: Sequence
  /** NO levels come as YES prices. */
  yesPrice: boolean
  /** A two-sided snapshot has proved `yesPrice`. */
  scaleProven: boolean
}

export interface SessionOptions {
  /** The venue of these trades; Kalshi by default. */
  venue?: VenueSlug
  /** What to request, and how to read sids until a snapshot proves otherwise. */
  yesPrice: boolean
  /** False: every frame takes the JSON path. For tests and benchmarks. */
  scanner?: boolean
}

/** What happened on this connection, for status pages and tests. */
export interface SessionCounts {
  scanned: number
  parsed: number
  malformed: number
  duplicates: number
  gaps: number
  /** Deltas for a book to which none can be applied (not yet, or no longer). */
  ignored: number
}

export class KalshiSession implements StreamSession, ControlHandler {
  readonly counts: SessionCounts = { scanned: 0, parsed: 0, malformed: 0, duplicates: 0, gaps: 0, ignored: 0 }
  private readonly feed: FeedSink
  private readonly scanner: FrameScanner | null
  private readonly venue: VenueSlug
  private readonly yesPrice: boolean
  private readonly books = new Map<string, Watched>()
  private readonly subscriptionManager: SubscriptionManager
  private readonly subscriptions = new Map<number, Subscription>()
  private latest: Subscription | null = null
  private recvTs = 0

  constructor(feed: FeedSink, options: SessionOptions) {
    this.feed = feed
    this.venue = options.venue ?? 'kalshi'
    this.yesPrice = options.yesPrice
    this.scanner = options.scanner === false ? null : new FrameScanner()
    this.subscriptionManager = new SubscriptionManager(this.books, options.yesPrice)
  }

  // ---- requests from ingest ----

  subscribe(bookIds: readonly string[]): string[] {
    return this.subscriptionManager.subscribe(bookIds)
  }

  unsubscribe(bookIds: readonly string[]): string[] {
    return this.subscriptionManager.unsubscribe(bookIds)
  }

  resync(bookId: string): string[] | null {
    const book = this.books.get(bookId)
    if (book === undefined) return []
    // A probe of a healthy book changes nothing; a book marked stale by ingest accepts no delta before its snapshot.
    if (this.feed.book(bookId)?.synced !== true) book.live = false
    return this.subscriptionManager.resync(book)
  }

  confirm(bookIds: readonly string[]): string[] {
    return this.subscriptionManager.confirm(bookIds.flatMap((bookId) => this.books.get(bookId) ?? []))
  }

  feeds(bookId: string): boolean {
    const sid = this.books.get(bookId)?.sid
    return sid !== undefined && sid !== noSid
  }

  /** A book gets its sid from its first snapshot. */
  delivers(bookId: string): boolean {
    return this.feeds(bookId)
  }

  receive(frame: Buffer, recvTs: number): boolean {
    this.recvTs = recvTs
    if (this.scanner?.scan(frame, this)) {
      this.counts.scanned++
      return true
    }
    const outcome = parseFrame(frame, this)
    if (outcome === 'data' || outcome === 'control') {
      this.counts.parsed++
      return outcome === 'data'
    }
    this.counts.malformed++
    this.feed.malformed(outcome.malformed)
    return false
  }

  // ---- handlers of frames ----

  delta(sid: number, seq: number, ticker: string, isYes: boolean, micros: number, delta: number, tsMs: number): void {
    const subscription = this.subscriptionOf(sid)
    const verdict = subscription.sequence.take(seq)
    if (verdict !== 'next') {
      this.disorder(subscription, verdict)
      return
    }
    const book = this.books.get(ticker)
    const writer = book?.live === true && book.sid === sid ? this.feed.book(ticker) : undefined
    if (book === undefined || writer === undefined || !writer.synced) {
      this.counts.ignored++
      return
    }
    if (tsMs > book.lastTs) {
      if ((book.held.waiting || book.tickerTs !== 0) && !this.agreesWithTicker(book, writer, tsMs)) return
      book.lastTs = tsMs
    }
    const side = isYes ? BID : ASK
    const priceMicros = isYes || subscription.yesPrice ? micros : ONE - micros
    if (book.held.waiting) {
      const size = book.held.add(side, priceMicros, delta)
      if (size !== null) {
        if (size < -emptySize) this.breakBook(book, 'negative')
        return
      }
    }
    if (delta > 0 && crosses(writer, side, priceMicros)) {
      book.held.hold(side, priceMicros, delta)
      return
    }
    if (!(writer.add(side, priceMicros, delta) >= -emptySize)) {
      this.breakBook(book, 'negative')
      return
    }
    if (book.held.waiting) book.held.release(writer)
    writer.commit(tsMs, this.recvTs)
  }

  snapshot(
    sid: number,
    seq: number,
    ticker: string,
    known: boolean,
    yes: readonly number[],
    no: readonly number[],
  ): void {
    const subscription = this.subscriptionOf(sid)
    const book = this.books.get(ticker)
    const verdict = subscription.sequence.takeSnapshot(seq, book !== undefined && (!book.live || book.confirming))
    if (verdict === 'duplicate') {
      this.counts.duplicates++
      return
    }
    if (verdict === 'gap_rebased') this.markGap(subscription)
    if (!known) {
      this.books.delete(ticker)
      this.feed.refused(ticker, 'the venue does not know this market')
      return
    }
    const writer = book === undefined ? undefined : this.feed.book(ticker)
    if (book === undefined || writer === undefined) return
    this.proveScale(subscription, yes, no)
    writer.beginSnapshot(true)
    for (let i = 0; i < yes.length; i += 2) writer.set(BID, yes[i] as number, yes[i + 1] as number)
    for (let i = 0; i < no.length; i += 2) {
      const micros = no[i] as number
      writer.set(ASK, subscription.yesPrice ? micros : ONE - micros, no[i + 1] as number)
    }
    Object.assign(book, { ...watched(ticker), sid, live: true })
    if (isCrossed(writer)) this.breakBook(book, 'crossed')
    else writer.commit(null, this.recvTs)
  }

  trade({ tradeId, ticker, yesMicros, count, takerSide, tsMs }: FrameTrade): void {
    if (!this.books.has(ticker)) return
    const price = toProbability(yesMicros)
    this.feed.lastTrade(ticker, yesMicros, tsMs)
    this.feed.trade({
      venue: this.venue,
      marketId: ticker,
      outcomeId: ticker,
      recvTs: this.recvTs,
      data: {
        id: tradeId,
        time: new Date(tsMs).toISOString(),
        timestamp: tsMs,
        // A NO taker sells YES: the frame is about the YES outcome throughout.
        type: takerSide === 'yes' ? 'Buy' : takerSide === 'no' ? 'Sell' : 'Unknown',
        usd: usdOf(yesMicros, count),
        outcome: 'Yes',
        outcomeIndex: 0,
        shares: count,
        price,
        maker: null,
        transactionHash: null,
        wallet: null,
        counterparty: null,
      },
    })
  }

  /**
   * The venue's own best prices. Tickers travel on another sid and may be older or newer than the book, so one is compared only when it is
   * strictly newer than every delta applied, and only at the first delta strictly newer than it: in between the book did not change.
   */
  ticker(ticker: string, last: number | null, bid: number | null, ask: number | null, tsMs: number | null): void {
    const book = this.books.get(ticker)
    if (book === undefined) return
    if (last !== null && last > 0) this.feed.lastTrade(ticker, last, null)
    if (!book.live || tsMs === null || tsMs <= book.lastTs) return
    if (book.held.waiting) {
      this.breakBook(book, 'crossed')
      return
    }
    if (bid === null || ask === null || book.lastTs === 0) return
    book.tickerTs = tsMs
    book.tickerBid = quoted(bid)
    book.tickerAsk = quoted(ask)
  }

  lifecycle(message: Parameters<ControlHandler['lifecycle']>[0]): void {
    const ticker = message.market_ticker
    if (ticker === null || ticker === undefined) return
    const tick = tickMicrosOfStructure(message.price_level_structure)
    if (message.event_type === 'price_level_structure_updated' && tick !== null) {
      this.feed.tickSize(ticker, tick, this.recvTs)
      return
    }
    const ended = message.event_type === 'close_date_updated' && (message.close_ts ?? Infinity) * 1000 <= this.recvTs
    const status = ended ? 'closed' : lifecycleStatus.get(message.event_type)
    if (status === undefined) return
    const seconds = status === 'resolved' ? message.settled_ts : status === 'closed' ? message.determination_ts : null
    this.feed.marketStatus(ticker, status, typeof seconds === 'number' ? seconds * 1000 : this.recvTs)
  }

  subscribed(channel: string, sid: number): void {
    this.subscriptionManager.acknowledged(channel, sid)
  }

  ok(sid: number | null, seq: number | null): void {
    if (sid === null || seq === null || !this.subscriptionManager.isSequenced(sid)) return
    const subscription = this.subscriptionOf(sid, false)
    const verdict = subscription.sequence.take(seq)
    if (verdict !== 'next') this.disorder(subscription, verdict)
  }

  refusal(commandId: number | null, code: number | null, text: string, ticker: string | null): void {
    const refusal = this.subscriptionManager.refusal(commandId, code, text, ticker)
    if (refusal.kind === 'market') this.feed.refused(refusal.ticker, text || 'market not found')
    else if (refusal.kind === 'failed') this.feed.failed(refusal.reason)
    else if (refusal.kind === 'noted') this.feed.malformed(refusal.reason)
  }

  unread(ticker: string, place: { sid: number; seq: number } | null): void {
    if (place !== null) {
      const subscription = this.subscriptionOf(place.sid)
      const verdict = subscription.sequence.take(place.seq)
      if (verdict !== 'next') this.disorder(subscription, verdict)
      if (verdict === 'duplicate') return
    }
    const book = this.books.get(ticker)
    if (book !== undefined) this.breakBook(book, 'unreadable')
  }

  // ---- books and sids ----

  /** Checks the book before a change with a newer time is applied. False: the book is now broken. */
  private agreesWithTicker(book: Watched, writer: BookWriter, tsMs: number): boolean {
    if (book.held.waiting) {
      this.breakBook(book, 'crossed')
      return false
    }
    if (book.tickerTs === 0 || tsMs < book.tickerTs) return true
    if (tsMs === book.tickerTs) {
      // Their order within the millisecond is unknown.
      book.tickerTs = 0
      return true
    }
    const agree =
      book.tickerBid === (writer.bestBidMicros() ?? nothing) && book.tickerAsk === (writer.bestAskMicros() ?? nothing)
    book.tickerTs = 0
    book.mismatches = agree ? 0 : book.mismatches + 1
    if (book.mismatches < mismatchesMax) return true
    this.breakBook(book, 'best_mismatch')
    return false
  }

  /** Detects a venue that ignored the flag: the sid is read with the other price scale from now on, and its books so far are broken. */
  private proveScale(subscription: Subscription, yes: readonly number[], no: readonly number[]): void {
    if (subscription.scaleProven) return
    const yesPrice = yesPriceByEvidence(yes, no)
    if (yesPrice === null) return
    subscription.scaleProven = true
    if (subscription.yesPrice === yesPrice) return
    subscription.yesPrice = yesPrice
    for (const book of this.books.values())
      if (book.live && book.sid === subscription.sid) this.breakBook(book, 'scale')
  }

  private disorder(subscription: Subscription, verdict: 'duplicate' | 'gap' | 'gap_rebased' | 'lost'): void {
    if (verdict === 'duplicate') this.counts.duplicates++
    else if (verdict === 'lost') this.counts.ignored++
    else this.markGap(subscription)
  }

  private markGap(subscription: Subscription): void {
    this.counts.gaps++
    for (const book of this.books.values()) {
      // A book without a sid still waits for the snapshot that may have been in the gap.
      if (book.sid === subscription.sid || book.sid === noSid) this.breakBook(book, 'gap')
    }
  }

  private breakBook(book: Watched, reason: StaleReason): void {
    book.live = false
    book.covered = false
    book.held.clear()
    book.tickerTs = 0
    book.mismatches = 0
    this.feed.broken(book.ticker, reason)
  }

  /** Sids are also learned from their frames: recordings have one per market and no acknowledgements. */
  private subscriptionOf(sid: number, carriesBooks = true): Subscription {
    // Frames of one sid come in runs.
    if (this.latest !== null && this.latest.sid === sid) return this.latest
    let subscription = this.subscriptions.get(sid)
    if (subscription === undefined) {
      if (carriesBooks) this.subscriptionManager.learnSid(sid)
      subscription = { sid, sequence: new Sequence(), yesPrice: this.yesPrice, scaleProven: false }
      this.subscriptions.set(sid, subscription)
    }
    this.latest = subscription
    return subscription
  }
}
