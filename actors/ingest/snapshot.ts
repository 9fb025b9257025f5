// What was read over REST, and what the tape records of it: whole books, written or compared, full depth, and trades.
import type { LiveBook } from '#core/books/liveBook'
import { ONE } from '#core/price'
import type { Trade } from '#schemas/marketData'
import type { TapeBookRow, TapeTradeRow, TradeUpdate, WalletTrade } from '#schemas/topics'
import { ASK, BID, type BookSnapshot, type SnapshotLevel } from '#venues/venue'

/** Replaces the book by the snapshot entirely. */
export function applySnapshot(book: LiveBook, snapshot: BookSnapshot): void {
  book.beginSnapshot()
  for (const [price, size] of snapshot.bids) book.set(BID, price, size)
  for (const [price, size] of snapshot.asks) book.set(ASK, price, size)
  if (snapshot.lastTradeMicros !== null) book.traded(snapshot.lastTradeMicros, null)
  book.commit(snapshot.eventTs, snapshot.recvTs)
}

/** More than any venue has, so that a level lost far behind the best is found too. */
const compared = 2_000
/** Sizes that deltas were added to are not exact. */
const sizeSlack = 1e-6
const prices = new Int32Array(compared)
const sizes = new Float64Array(compared)

/** `older`: the snapshot is from before what we show, and proves nothing about it. */
export type Comparison = 'same' | 'older' | 'different'

/** Compares a book with the venue's own, level by level, the best `max` of each side. */
export function compareBook(book: LiveBook, snapshot: BookSnapshot, max = compared): Comparison {
  if (
    sameSide(book, BID, bestOf(snapshot.bids, BID, max), max) &&
    sameSide(book, ASK, bestOf(snapshot.asks, ASK, max), max)
  )
    return 'same'
  return snapshot.eventTs !== null && book.eventTs !== null && snapshot.eventTs < book.eventTs ? 'older' : 'different'
}

function sameSide(book: LiveBook, side: typeof BID | typeof ASK, best: readonly SnapshotLevel[], max: number): boolean {
  const held = book.copyLevels(side, max, prices, sizes)
  return (
    held === best.length &&
    best.every(([price, size], i) => prices[i] === price && Math.abs(sizes[i]! - size) < sizeSlack)
  )
}

/** The tradable levels, best first. */
const bestOf = (levels: readonly SnapshotLevel[], side: typeof BID | typeof ASK, max: number): SnapshotLevel[] =>
  levels
    .filter(([price, size]) => size > 0 && price > 0 && price < ONE)
    .sort((a, b) => (side === BID ? b[0] - a[0] : a[0] - b[0]))
    .slice(0, max)

/** A book's contents at one moment: sizes by price, with asks under the negative price. */
export interface HeldLevels {
  levels: ReadonlyMap<number, number>
  recvTs: number
  eventTs: number | null
}

/** The best `max` of each side. */
export function holdLevels(book: LiveBook, max = compared): HeldLevels {
  const levels = new Map<number, number>()
  for (const side of [BID, ASK] as const) {
    const count = book.copyLevels(side, max, prices, sizes)
    for (let i = 0; i < count; i++) levels.set(side === BID ? prices[i]! : -prices[i]!, sizes[i]!)
  }
  return { levels, recvTs: book.recvTs, eventTs: book.eventTs }
}

/**
 * Compares the venue's own book with ours at the request and at the response: returns the levels that differ although nothing touched
 * them meanwhile, with our sizes. Null: the snapshot is from before our state, and proves nothing about it.
 */
export function wrongLevels(
  before: HeldLevels,
  after: HeldLevels,
  snapshot: BookSnapshot,
  max = compared,
): Map<number, number> | null {
  const theirs = new Map<number, number>()
  for (const [price, size] of bestOf(snapshot.bids, BID, max)) theirs.set(price, size)
  for (const [price, size] of bestOf(snapshot.asks, ASK, max)) theirs.set(-price, size)
  const wrong = new Map<number, number>()
  for (const key of new Set([...theirs.keys(), ...after.levels.keys()])) {
    const ours = after.levels.get(key) ?? 0
    if (ours !== (before.levels.get(key) ?? 0)) continue
    if (Math.abs(ours - (theirs.get(key) ?? 0)) >= sizeSlack) wrong.set(key, ours)
  }
  const isOlder = snapshot.eventTs !== null && before.eventTs !== null && snapshot.eventTs < before.eventTs
  return wrong.size > 0 && isOlder ? null : wrong
}

/** Recorded levels per side. */
const tapedLevels = 100
const tapedPrices = new Int32Array(tapedLevels)
const tapedSizes = new Float64Array(tapedLevels)

/** Full depth of a live book in the tape's format. */
export function depthRow(book: LiveBook): TapeBookRow {
  const side = (of: typeof BID | typeof ASK): { micros: number[]; sizes: number[] } => {
    const count = book.copyLevels(of, tapedLevels, tapedPrices, tapedSizes)
    return { micros: [...tapedPrices.subarray(0, count)], sizes: [...tapedSizes.subarray(0, count)] }
  }
  const bids = side(BID)
  const asks = side(ASK)
  return {
    venue: book.venue,
    outcomeId: book.marketId,
    ts: book.timestamp,
    recvTs: book.recvTs,
    bidMicros: bids.micros,
    bidSizes: bids.sizes,
    askMicros: asks.micros,
    askSizes: asks.sizes,
  }
}

/** A trade of a book's own side in the tape's format. */
export const tradeRow = (venue: string, bookId: string, trade: Trade, recvTs: number): TapeTradeRow => ({
  venue,
  outcomeId: bookId,
  tradeId: trade.id,
  ts: trade.timestamp,
  recvTs,
  priceMicros: trade.price === null ? null : Math.round(trade.price * 1_000_000),
  size: trade.amount,
  side: trade.side,
  transactionHash: null,
})

/** A published trade in the tape's format. */
export const recordedRow = ({ venue, outcomeId, recvTs, data }: TradeUpdate): TapeTradeRow => ({
  venue,
  outcomeId,
  tradeId: data.id,
  ts: data.timestamp,
  recvTs,
  priceMicros: data.price === null ? null : Math.round(data.price * 1_000_000),
  size: data.shares,
  side: data.type === 'Buy' ? 'buy' : data.type === 'Sell' ? 'sell' : 'unknown',
  transactionHash: data.transactionHash,
})

/** A trade that names its wallets and which of them bought, for the record of traders; null for any other. */
export function walletTradeOf({ venue, outcomeId, recvTs, data }: TradeUpdate): WalletTrade | null {
  const { id, timestamp, type, usd, shares, price, wallet, counterparty } = data
  if (type === 'Unknown' || (wallet === null && counterparty === null)) return null
  return {
    venue,
    outcomeId,
    tradeId: id,
    ts: timestamp,
    recvTs,
    priceMicros: price === null ? null : Math.round(price * 1_000_000),
    size: shares,
    side: type === 'Buy' ? 'buy' : 'sell',
    usd,
    wallet,
    counterparty,
  }
}
