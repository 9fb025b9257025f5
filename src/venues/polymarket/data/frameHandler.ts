// Applies decoded frames to the books behind a feed. The channel has no sequence number, so a book is checked by time and against the
// venue's own best prices:
//
//   older than the snapshot        already included: dropped
//   older than the newest change   applied only if no newer change hit that level; if that is no longer known, the book is broken (`gap`)
//   after all changes of a frame   our best must be the frame's best_bid/best_ask (`best_mismatch`) and must not cross (`crossed`)
//
// A best that differs is often repaired by the next whole book, or by a further change: until then, for a second, readers keep the book as it was.
//
// A broken or not yet synced book is not written, but its changes are remembered: the next snapshot, even one read over REST by ingest, gets
// those that happened after it.

import { ONE, toProbability, usdOf } from '#core/price'
import type { StaleReason } from '#schemas/staleReason'
import type { TradeUpdate } from '#schemas/topics'
import { ASK, BID, type BookSide, type BookWriter, type FeedSink } from '../../venue.ts'
import type { AssetState } from './assetState.ts'
import { checkChecksum, hashPauseMs } from './bookHash.ts'
import { tradeIdOf } from './fillIds.ts'
import { BOOK, type DecodedFrame, PRICE_CHANGE } from './frame.ts'
import { UNKNOWN } from './unknown.ts'

/** What was not applied, and why. Increasing counters of one connection. */
export interface ApplyCounts {
  /** The same change or trade came again. */
  duplicates: number
  /** Changes overtaken by a newer one at their level, or older than the snapshot. */
  late: number
  /** Snapshots older than the book. */
  olderSnapshots: number
  /** Venue hashes checked against our book: matches and mismatches. */
  hashesFitted: number
  hashesUnfitted: number
}

const IGNORE = 0
const PENDING = 1
const LATE = 2
const LIVE = 3

/** Trades and transactions remembered to recognize repeats. */
const tradesRetainedMax = 2_048

export class FrameApplier {
  readonly counts: ApplyCounts = { duplicates: 0, late: 0, olderSnapshots: 0, hashesFitted: 0, hashesUnfitted: 0 }
  private readonly feed: FeedSink
  private round = 0
  /** Assets of the current message, of which the first `touched` are valid. */
  private touched = 0
  private readonly touchedAssets: AssetState[] = []
  /** Times of the current message. Fields, because a double passed between calls is allocated. */
  private ts = 0
  private recvTs = 0
  /** When a book was last checked against its hash. */
  private hashedAt = 0
  /** Trades seen, by token, and how many of the transaction came before each. */
  private readonly trades = new Map<string, number>()

  constructor(feed: FeedSink) {
    this.feed = feed
  }

  apply(frame: DecodedFrame, recvTs: number): void {
    this.recvTs = recvTs
    for (let index = 0; index < frame.messages; index++) {
      const kind = frame.kinds[index]
      this.ts = frame.times[index] as number
      if (kind === PRICE_CHANGE) this.applyChanges(frame, index, recvTs)
      else if (kind === BOOK) this.applyBook(frame, index)
      else this.applyTrade(frame, index)
    }
  }

  /**
   * The soft check: the best prices of a `best_bid_ask` event. Two consecutive ones that disagree, without a change between, contradict
   * the book.
   */
  checkBest(asset: AssetState, bidMicros: number, askMicros: number, ts: number): void {
    const book = this.feed.book(asset.id)
    if (book === undefined || !book.synced || !asset.based || ts < asset.lastTs) return
    if (!sameBest(book.bestBidMicros(), book.bestAskMicros(), bidMicros, askMicros)) {
      if (++asset.bestMismatches >= 2) this.contradicted(asset, 'best_mismatch')
      return
    }
    asset.bestMismatches = 0
    if (book.isHeld === true && bidMicros !== UNKNOWN && askMicros !== UNKNOWN) this.commit(asset, book, this.recvTs)
  }

  /** Updates a snapshot written by ingest with the changes that came after it. Without this call the asset's next frame does it. */
  snapshotWritten(asset: AssetState, recvTs: number): void {
    const book = this.feed.book(asset.id)
    this.recvTs = recvTs
    if (book?.synced) this.adopt(asset, book)
  }

  /** A message about its levels could not be read: what it changed is unknown. */
  unread(asset: AssetState): void {
    asset.isFed = true
    this.breakBook(asset, 'unreadable')
  }

  private applyChanges(frame: DecodedFrame, index: number, recvTs: number): void {
    const { ts } = this
    const end = frame.ends[index] as number
    this.round++
    this.touched = 0
    for (let row = frame.starts[index] as number; row < end; row++) {
      const asset = frame.rowAssets[row] as AssetState | null
      if (asset === null) continue
      if (asset.touchedBy !== this.round) this.touch(asset)
      const { mode } = asset
      if (mode === IGNORE) continue
      asset.lastRow = row
      const side = frame.sides[row] as BookSide
      const price = frame.prices[row] as number
      const size = frame.sizes[row] as number
      if (mode === LATE && this.isSuperseded(asset, side, price, size)) continue
      if (mode === LIVE && ts === asset.lastTs && asset.recent.seen(side, price, size, ts)) this.counts.duplicates++
      asset.recent.pushRow(frame, row, index)
      if (mode !== PENDING) (asset.book as BookWriter).set(side, price, size)
    }
    for (let slot = 0; slot < this.touched; slot++) this.settle(frame, this.touchedAssets[slot] as AssetState, recvTs)
  }

  /** First change of an asset in a message: decides whether all of them are applied. */
  private touch(asset: AssetState): void {
    asset.touchedBy = this.round
    asset.isFed = true
    const book = this.feed.book(asset.id)
    asset.book = book
    asset.mode = IGNORE
    if (book === undefined) return
    asset.mode = this.modeOf(asset, book)
    if (asset.mode !== IGNORE) this.touchedAssets[this.touched++] = asset
  }

  private modeOf(asset: AssetState, book: BookWriter): number {
    if (!book.synced) {
      asset.based = false
      return PENDING
    }
    if ((!asset.based || asset.committedTs !== book.eventTs) && !this.adopt(asset, book)) return PENDING
    const { ts } = this
    if (ts >= asset.lastTs) return LIVE
    if (ts < asset.baseTs) {
      this.counts.late++
      book.alreadyContained?.()
      return IGNORE
    }
    if (asset.recent.reachesBackTo(ts)) return LATE
    this.breakBook(asset, 'gap')
    return PENDING
  }

  private isSuperseded(asset: AssetState, side: BookSide, price: number, size: number): boolean {
    if (asset.recent.seen(side, price, size, this.ts)) {
      this.counts.duplicates++
      return true
    }
    if (!asset.recent.overtaken(side, price, this.ts)) return false
    this.counts.late++
    return true
  }

  /** All changes of a message are in: check the asset's book, then publish it. */
  private settle(frame: DecodedFrame, asset: AssetState, recvTs: number): void {
    const { ts } = this
    const { mode, book } = asset
    const inOrder = ts > asset.baseTs
    if (ts > asset.lastTs) asset.lastTs = ts
    if (mode === PENDING || book === undefined) return
    const bid = book.bestBidMicros()
    const ask = book.bestAskMicros()
    // The best of a late frame, or of one in the snapshot's own millisecond, may describe a past instant.
    const isComparable = mode === LIVE && inOrder
    const row = asset.lastRow
    const venueBid = frame.bestBids[row] as number
    const venueAsk = frame.bestAsks[row] as number
    const differs = isComparable && !sameBest(bid, ask, venueBid, venueAsk)
    if (bid !== null && ask !== null && bid >= ask) {
      if (differs) this.contradicted(asset, 'crossed')
      else this.breakBook(asset, 'crossed')
    } else if (differs) this.contradicted(asset, 'best_mismatch')
    // Only a best that was compared ends the wait for it.
    else if (book.isHeld === true && (!isComparable || venueBid === UNKNOWN || venueAsk === UNKNOWN)) return
    else if (
      isComparable &&
      this.hashDue(asset, recvTs) &&
      !this.hashHolds(frame.hashes[row] as number, asset, book, recvTs)
    )
      this.breakBook(asset, 'hash_mismatch')
    else this.commit(asset, book, recvTs)
  }

  private hashDue(asset: AssetState, recvTs: number): boolean {
    return Math.abs(recvTs - this.hashedAt) >= hashPauseMs && asset.hashes.isDue(recvTs)
  }

  /** False when the venue's hash shows that our book is a different one. */
  private hashHolds(at: number, asset: AssetState, book: BookWriter, recvTs: number): boolean {
    if (at === 0) return true
    this.hashedAt = recvTs
    const verdict = checkChecksum(asset, book, at, this.ts, recvTs)
    if (verdict === 'fits') this.counts.hashesFitted++
    else if (verdict !== 'unknown') this.counts.hashesUnfitted++
    return verdict !== 'wrong'
  }

  private applyBook(frame: DecodedFrame, index: number): void {
    const asset = frame.assets[index] as AssetState | null
    if (asset === null) return
    asset.isFed = true
    const book = this.feed.book(asset.id)
    if (book === undefined) return
    const { ts } = this
    const live = book.synced && asset.based
    // A broken book does not go back behind a snapshot it was once based on: late changes from before that one were dropped as
    // included, so the older snapshot could not be brought up to date.
    if (ts < (live ? asset.lastTs : asset.baseTs)) {
      this.counts.olderSnapshots++
      return
    }
    const start = frame.starts[index] as number
    const end = frame.ends[index] as number
    const fault = isCrossed(frame, start, end) ? 'crossed' : !live && !asset.recent.reachesBackTo(ts + 1) ? 'gap' : null
    if (fault !== null) {
      this.breakBook(asset, fault)
      return
    }
    book.beginSnapshot(true)
    for (let row = start; row < end; row++) {
      const size = frame.sizes[row] as number
      if (size > 0) book.set(frame.sides[row] as BookSide, frame.prices[row] as number, size)
    }
    // Changes that overtook this first snapshot in transit. A synced book has none: the snapshot would be older then.
    if (!live && ts < asset.lastTs)
      asset.recent.replay(ts + 1, (side, price, size) => {
        book.set(side, price, size)
      })
    asset.baseTs = ts
    asset.based = true
    if (ts > asset.lastTs) asset.lastTs = ts
    this.commit(asset, book, this.recvTs)
    const tick = frame.ticks[index] as number
    if (tick > 0) this.tickSize(asset, tick, ts)
    const lastTrade = frame.lastTrades[index] as number
    asset.hashes.renew(lastTrade)
    if (lastTrade !== UNKNOWN && ts >= asset.lastTradeTs) this.feed.lastTrade(asset.id, lastTrade, null)
  }

  /** Reports a changed price step. */
  tickSize(asset: AssetState, tickMicros: number, ts: number): void {
    if (tickMicros === asset.tickMicros) return
    asset.tickMicros = tickMicros
    this.feed.tickSize(asset.id, tickMicros, ts)
  }

  /** Adopts a snapshot written elsewhere (by ingest, over REST). False when the changes since are no longer known. */
  private adopt(asset: AssetState, book: BookWriter): boolean {
    const ts = book.eventTs
    asset.based = true
    asset.committedTs = ts
    if (ts === null) {
      asset.baseTs = Number.NEGATIVE_INFINITY
      return true
    }
    if (!asset.recent.reachesBackTo(ts)) {
      this.breakBook(asset, 'gap')
      return false
    }
    asset.baseTs = ts
    if (asset.lastTs < ts) {
      asset.lastTs = ts
      return true
    }
    asset.recent.replay(ts, (side, price, size) => {
      book.set(side, price, size)
    })
    this.commit(asset, book, this.recvTs)
    return book.synced
  }

  private commit(asset: AssetState, book: BookWriter, recvTs: number): void {
    asset.bestMismatches = 0
    book.commit(asset.lastTs, recvTs)
    asset.committedTs = book.eventTs
    // The book may have refused (crossed, or older than what it holds).
    if (!book.synced) asset.based = false
  }

  /** The venue may repair the book within a second; if it cannot wait for that, it is broken now. */
  private contradicted(asset: AssetState, reason: StaleReason): void {
    if (this.feed.hold?.(asset.id, reason) !== true) this.breakBook(asset, reason)
  }

  private breakBook(asset: AssetState, reason: StaleReason): void {
    asset.based = false
    asset.bestMismatches = 0
    this.feed.broken(asset.id, reason)
  }

  private applyTrade(frame: DecodedFrame, index: number): void {
    const asset = frame.assets[index] as AssetState | null
    if (asset === null) return
    const { ts } = this
    const row = frame.starts[index] as number
    const priceMicros = frame.prices[row] as number
    const trade = tradeOf(
      asset.id,
      ts,
      priceMicros,
      frame.sizes[row] as number,
      frame.sides[row] as BookSide,
      frame.transactions[index] as string | null,
      this.recvTs,
    )
    const fill = this.fillOf(trade)
    if (fill === null) {
      this.counts.duplicates++
      return
    }
    trade.data.id = tradeIdOf(trade.data.id, fill)
    this.feed.trade(trade)
    if (ts < asset.lastTradeTs) return
    asset.hashes.renew(priceMicros)
    asset.lastTradeTs = ts
    this.feed.lastTrade(asset.id, priceMicros, ts)
  }

  /**
   * The index of a trade's fill within its transaction, null for a repeat. Only a transaction hash makes a trade recognizable: without one, two
   * equal trades in a millisecond are two trades.
   */
  private fillOf({ outcomeId, data }: TradeUpdate): number | null {
    if (data.transactionHash === null) return 0
    const transaction = `${outcomeId}:${data.transactionHash}`
    const key = `${transaction}:${data.timestamp}:${data.price}:${data.shares}:${data.type}`
    if (this.trades.has(key)) return null
    const fill = this.trades.get(transaction) ?? 0
    this.trades.delete(transaction)
    this.trades.set(transaction, fill + 1)
    this.trades.set(key, fill)
    for (const oldest of this.trades.keys()) {
      if (this.trades.size <= tradesRetainedMax) break
      this.trades.delete(oldest)
    }
    return fill
  }
}

/**
 * Whether the venue's best prices equal ours. UNKNOWN is not compared. For an empty side the venue has been observed to send 0 (bid), 0 or
 * 1 (ask), or `""` (read as 0): exactly these are taken as empty, and only when our side is empty too.
 */
function sameBest(bid: number | null, ask: number | null, venueBid: number, venueAsk: number): boolean {
  if (venueBid !== UNKNOWN && venueBid !== (bid ?? 0)) return false
  if (venueAsk === UNKNOWN) return true
  return ask === null ? venueAsk === 0 || venueAsk === ONE : venueAsk === ask
}

function isCrossed(frame: DecodedFrame, start: number, end: number): boolean {
  let bid = -1
  let ask = ONE + 1
  for (let row = start; row < end; row++) {
    if (!((frame.sizes[row] as number) > 0)) continue
    const price = frame.prices[row] as number
    if (frame.sides[row] === BID) {
      if (price > bid) bid = price
    } else if (frame.sides[row] === ASK && price < ask) ask = price
  }
  return bid >= ask
}

function tradeOf(
  assetId: string,
  ts: number,
  priceMicros: number,
  shares: number,
  side: BookSide,
  transactionHash: string | null,
  recvTs: number,
): TradeUpdate {
  const price = toProbability(priceMicros)
  const type = side === BID ? 'Buy' : 'Sell'
  return {
    venue: 'polymarket',
    marketId: assetId,
    outcomeId: assetId,
    data: {
      id: transactionHash ?? `${ts}:${price}:${shares}:${type}`,
      time: isoTime(ts),
      timestamp: ts,
      type,
      usd: usdOf(priceMicros, shares),
      outcome: null,
      outcomeIndex: null,
      shares,
      price,
      maker: null,
      transactionHash,
      wallet: null,
      counterparty: null,
    },
    recvTs,
  }
}

/** Largest time a Date holds, epoch ms. */
const dateMax = 8.64e15
const isoTime = (ts: number): string => new Date(Math.min(ts, dateMax)).toISOString()
