// A live book decoded from its update, with the best levels as numbers, for processes that did not build the book themselves. One object
// reads any number of books without allocating per book.
import { ONE } from '#core/price'
import type { BookUpdate } from '#schemas/topics'
import type { BookSide } from '#venues/venue'
import { BRACE, COMMA, fencedOut, levelJsonPrefix, readMicros, sections, sizeKey, ZERO } from './encode.ts'
import { BID } from './levelStore.ts'
import { type SharedBook, sharedLevels } from './shared/index.ts'

const DOT = 46
/**
 * A number of up to this many digits is an exact double, and so is the power of ten it is divided by: the quotient equals what
 * JSON.parse reads.
 */
const exactDigits = 15
const powers = Float64Array.from({ length: exactDigits + 1 }, (_, i) => 10 ** i)

class Side {
  count = 0
  readonly prices = new Int32Array(sharedLevels)
  readonly sizes = new Float64Array(sharedLevels)
}

/** The last update read, to the depth that workers get. */
export class DecodedBook implements SharedBook {
  readonly state = 'live'
  recvTs = 0
  eventTs: number | null = null
  seq = 0
  lastTradeMicros: number | null = null
  lastTradeTs: number | null = null
  private readonly bids = new Side()
  private readonly asks = new Side()

  /**
   * Takes a live update. Throws Fault `INTERNAL` for a core our encoder does not write: another layout, levels out of order, a crossed book.
   */
  read({ core, recvTs, eventTs, seq, lastTradeMicros, lastTradeTs }: BookUpdate): void {
    const { bidsAt, bidsEnd, asksAt, asksEnd } = sections(core)
    readSide(core, bidsAt, bidsEnd, this.bids, -1)
    readSide(core, asksAt, asksEnd, this.asks, 1)
    if (this.bids.count > 0 && this.asks.count > 0 && this.bids.prices[0]! >= this.asks.prices[0]!) throw fencedOut()
    this.recvTs = recvTs
    this.eventTs = eventTs
    this.seq = seq
    this.lastTradeMicros = lastTradeMicros
    this.lastTradeTs = lastTradeTs ?? null
  }

  /** Copies up to `max` levels, best first; returns how many. */
  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array): number {
    const from = side === BID ? this.bids : this.asks
    const count = Math.min(max, from.count)
    for (let i = 0; i < count; i++) {
      prices[i] = from.prices[i]!
      sizes[i] = from.sizes[i]!
    }
    return count
  }
}

/** `step`: the sign of the next level's distance from the best. */
function readSide(core: Buffer, from: number, to: number, side: Side, step: 1 | -1): void {
  const { prices, sizes } = side
  let count = 0
  let last = step > 0 ? -1 : ONE + 1
  for (let at = from; at < to && count < sharedLevels; count++) {
    const priceAt = at + levelJsonPrefix.length
    let comma = priceAt + 1
    while (core[comma] !== COMMA) if (++comma >= to) throw fencedOut()
    const micros = readMicros(core, priceAt, comma)
    if ((micros - last) * step <= 0) throw fencedOut()
    last = micros
    const sizeAt = comma + sizeKey.length
    let brace = sizeAt
    while (core[brace] !== BRACE) if (++brace >= to) throw fencedOut()
    const size = readSize(core, sizeAt, brace)
    if (!(size > 0 && size < Infinity)) throw fencedOut()
    prices[count] = micros
    sizes[count] = size
    at = brace + 2
  }
  side.count = count
}

function readSize(core: Buffer, from: number, to: number): number {
  let digits = 0
  let decimals = -1
  for (let at = from; at < to && to - from <= exactDigits; at++) {
    const byte = core[at]!
    const digit = byte - ZERO
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit
      if (decimals >= 0) decimals++
    } else if (byte === DOT && decimals < 0) decimals = 0
    // An exponent.
    else return Number(core.toString('latin1', from, to))
  }
  if (to - from > exactDigits) return Number(core.toString('latin1', from, to))
  return decimals > 0 ? digits / powers[decimals]! : digits
}
