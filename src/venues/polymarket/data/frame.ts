// One decoded frame, before anything is applied: flat columns that are reused from frame to frame. The byte scanner and the JSON.parse path
// both write it, so what happens to a book afterwards cannot depend on which of them read the bytes.
import type { BookSide } from '../../venue.ts'
import type { AssetState } from './assetState.ts'
import { UNKNOWN } from './unknown.ts'

export const PRICE_CHANGE = 0
export const BOOK = 1
export const TRADE = 2
export type MessageKind = typeof PRICE_CHANGE | typeof BOOK | typeof TRADE

const rowsStart = 1024
const messagesStart = 64
/** More levels in one frame than any book has prices (10,000 ticks per side, 200 assets): refused. */
export const frameRowsMax = 4_194_304

export class DecodedFrame {
  messages = 0
  kinds = new Uint8Array(messagesStart)
  /** Venue time of the message, epoch ms. */
  times = new Float64Array(messagesStart)
  /** First row of the message; `ends` is one past its last. */
  starts = new Int32Array(messagesStart)
  ends = new Int32Array(messagesStart)
  /** BOOK and TRADE: the asset, null when not ours. */
  assets: (AssetState | null)[] = []
  /** BOOK: last trade price in micros, UNKNOWN when empty or absent. */
  lastTrades = new Int32Array(messagesStart)
  /** BOOK: tick size in micros, UNKNOWN when absent. */
  ticks = new Int32Array(messagesStart)
  /** TRADE: transaction hash, null when absent or empty. */
  transactions: (string | null)[] = []

  rows = 0
  rowAssets: (AssetState | null)[] = []
  sides = new Uint8Array(rowsStart)
  prices = new Int32Array(rowsStart)
  sizes = new Float64Array(rowsStart)
  /** The venue's own best prices after the change, micros; 0 = it says the side is empty. */
  bestBids = new Int32Array(rowsStart)
  bestAsks = new Int32Array(rowsStart)
  /** Offset of the change's hash in the scratch area; 0 if not recorded. */
  hashes = new Int32Array(rowsStart)

  clear(): void {
    this.messages = 0
    this.rows = 0
  }

  /** Opens a message and returns its index; its rows are those written until `close`. */
  open(): number {
    const index = this.messages
    if (index === this.kinds.length) this.growMessages()
    if (this.rows === this.prices.length) this.growRows()
    this.starts[index] = this.rows
    this.assets[index] = null
    this.lastTrades[index] = UNKNOWN
    this.ticks[index] = UNKNOWN
    this.transactions[index] = null
    return index
  }

  close(kind: MessageKind): void {
    const index = this.messages++
    this.kinds[index] = kind
    this.ends[index] = this.rows
  }

  /** Drops the rows of a message that turned out to be invalid. */
  abandon(): void {
    this.rows = this.starts[this.messages] as number
  }

  /** Adds a row. False when the frame is absurdly large. */
  push(
    asset: AssetState | null,
    side: BookSide,
    priceMicros: number,
    size: number,
    bestBid: number,
    bestAsk: number,
  ): boolean {
    const row = this.rows
    if (row === this.prices.length && !this.growRows()) return false
    this.rowAssets[row] = asset
    this.sides[row] = side
    this.prices[row] = priceMicros
    this.sizes[row] = size
    this.bestBids[row] = bestBid
    this.bestAsks[row] = bestAsk
    this.hashes[row] = 0
    this.rows = row + 1
    return true
  }

  private growMessages(): void {
    const length = this.kinds.length * 2
    this.kinds = grown(this.kinds, new Uint8Array(length))
    this.times = grown(this.times, new Float64Array(length))
    this.starts = grown(this.starts, new Int32Array(length))
    this.ends = grown(this.ends, new Int32Array(length))
    this.lastTrades = grown(this.lastTrades, new Int32Array(length))
    this.ticks = grown(this.ticks, new Int32Array(length))
  }

  /** Doubles the room for rows; false at `frameRowsMax`. */
  growRows(): boolean {
    const length = this.prices.length * 2
    if (length > frameRowsMax) return false
    this.sides = grown(this.sides, new Uint8Array(length))
    this.prices = grown(this.prices, new Int32Array(length))
    this.sizes = grown(this.sizes, new Float64Array(length))
    this.bestBids = grown(this.bestBids, new Int32Array(length))
    this.bestAsks = grown(this.bestAsks, new Int32Array(length))
    this.hashes = grown(this.hashes, new Int32Array(length))
    return true
  }
}

function grown<T extends Uint8Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from)
  return to
}
