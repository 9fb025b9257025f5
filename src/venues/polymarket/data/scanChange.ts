// The most frequent frame: one price_change of one market in the venue's own key order. Its repeating parts (market, token ids and the keys around
// them) are remembered as pieces and compared whole; the rest is read in one loop without calls, since a call costs as much as the comparison it
// makes. Every byte is checked. False: another form, which scan.ts reads key by key or leaves to JSON.parse.
import { ASK, BID } from '../../venue.ts'
import type { AssetTable } from './assets.ts'
import { scratch } from './buffers.ts'
import { type DecodedFrame, PRICE_CHANGE } from './frame.ts'
import type { Piece } from './messageTemplates.ts'
import { readMicros, readMillis, readSize, skipHash } from './scanValues.ts'

const { bytes, view } = scratch

const QUOTE = 0x22
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const CLOSE_BRACKET = 0x5d
const CLOSE_BRACE = 0x7d
/** `0.` as two bytes. */
const zeroDot = 0x2e30
/** Longer sizes take the general path; these are exact in 31 bits. */
const shortSizeMax = 9
const unitOfPlaces = new Float64Array([1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9])

/** The text's bytes from `at` on, eight as a double. ASCII never forms a NaN or a zero, so `===` compares the bytes. */
const eight = (text: string, at = 0): number => Buffer.from(text, 'latin1').readDoubleLE(at)

const size0 = eight('","size":"')
const size2 = eight('","size":"', 2)
const buy0 = eight('","side":"BUY","hash":"')
const buy8 = eight('","side":"BUY","hash":"', 8)
const buy15 = eight('","side":"BUY","hash":"', 15)
const sell8 = eight('","side":"SELL","hash":"', 8)
const sell16 = eight('","side":"SELL","hash":"', 16)
const bid0 = eight('","best_bid":"')
const bid6 = eight('","best_bid":"', 6)
const ask0 = eight('","best_ask":"')
const ask6 = eight('","best_ask":"', 6)
const time0 = eight('"timestamp":"')
const time5 = eight('"timestamp":"', 5)
const event0 = eight(',"event_type":"price_change"}')
const event8 = eight(',"event_type":"price_change"}', 8)
const event16 = eight(',"event_type":"price_change"}', 16)
const event21 = eight(',"event_type":"price_change"}', 21)
const hashLength = 40

/** The frame is in the scratch area with `length` bytes, and `into` is clear. When false, `into` is clear again. */
export function scanChange(length: number, assets: AssetTable, into: DecodedFrame): boolean {
  const { pieces } = assets
  let piece: Piece | null = pieces.opening()
  if (piece === null) return false
  const { rowAssets, sides, prices, sizes, bestBids, bestAsks, hashes } = into
  const message = into.open()
  let pos = piece.length
  let row = 0
  for (;;) {
    rowAssets[row] = piece.asset

    // Price: `0.dd` or whatever the general reader accepts.
    let word = view.getInt32(pos, true)
    let tens = ((word >>> 16) & 0xff) - ZERO
    let ones = (word >>> 24) - ZERO
    if (bytes[pos + 4] === QUOTE && (word & 0xffff) === zeroDot && tens >>> 0 <= 9 && ones >>> 0 <= 9) {
      prices[row] = tens * 100_000 + ones * 10_000
      pos += 4
    } else {
      pos = readMicros(pos, prices, row) - 1
      if (pos < 0) return false
    }

    if (view.getFloat64(pos, true) !== size0 || view.getFloat64(pos + 2, true) !== size2) return false
    pos += 10
    const from = pos
    let mantissa = 0
    let dot = 0
    let byte = bytes[pos] as number
    while (byte !== QUOTE && pos - from <= shortSizeMax) {
      const digit = byte - ZERO
      if (digit >>> 0 <= 9) mantissa = mantissa * 10 + digit
      else if (byte === DOT && dot === 0) dot = pos
      else return false
      byte = bytes[++pos] as number
    }
    if (byte !== QUOTE || dot === from || dot === pos - 1 || pos === from || (dot === 0 && pos - from > shortSizeMax)) {
      pos = readSize(from, sizes, row) - 1
      if (pos < 0) return false
    } else sizes[row] = dot === 0 ? mantissa : mantissa / (unitOfPlaces[pos - dot - 1] as number)

    if (view.getFloat64(pos, true) !== buy0) return false
    const side = view.getFloat64(pos + 8, true)
    if (side === buy8) {
      if (view.getFloat64(pos + 15, true) !== buy15) return false
      sides[row] = BID
      pos += 23
    } else {
      if (side !== sell8 || view.getFloat64(pos + 16, true) !== sell16) return false
      sides[row] = ASK
      pos += 24
    }

    // The hash: hex digits, and anything else that JSON text may contain within 0x30-0x3f and 0x60-0x7e; see
    // `skipHash`.
    hashes[row] = pos
    if (bytes[pos + hashLength] !== QUOTE) pos = skipHash(pos) - 1
    else {
      let all = -1
      let any = 0
      let either = -1
      for (const end = pos + hashLength; pos < end; pos += 8) {
        const first = view.getInt32(pos, true)
        const second = view.getInt32(pos + 4, true)
        all &= first & second
        any |= first | second
        either &= (first | (first >>> 2)) & (second | (second >>> 2))
      }
      if ((all & 0x20202020) !== 0x20202020 || (any & 0x80808080) !== 0 || (either & 0x10101010) !== 0x10101010)
        pos = skipHash(pos - hashLength) - 1
    }
    if (pos < 0) return false

    if (view.getFloat64(pos, true) !== bid0 || view.getFloat64(pos + 6, true) !== bid6) return false
    pos += 14
    word = view.getInt32(pos, true)
    tens = ((word >>> 16) & 0xff) - ZERO
    ones = (word >>> 24) - ZERO
    if (bytes[pos + 4] === QUOTE && (word & 0xffff) === zeroDot && tens >>> 0 <= 9 && ones >>> 0 <= 9) {
      bestBids[row] = tens * 100_000 + ones * 10_000
      pos += 4
    } else {
      pos = readMicros(pos, bestBids, row) - 1
      if (pos < 0) return false
    }

    if (view.getFloat64(pos, true) !== ask0 || view.getFloat64(pos + 6, true) !== ask6) return false
    pos += 14
    word = view.getInt32(pos, true)
    tens = ((word >>> 16) & 0xff) - ZERO
    ones = (word >>> 24) - ZERO
    if (bytes[pos + 4] === QUOTE && (word & 0xffff) === zeroDot && tens >>> 0 <= 9 && ones >>> 0 <= 9) {
      bestAsks[row] = tens * 100_000 + ones * 10_000
      pos += 4
    } else {
      pos = readMicros(pos, bestAsks, row) - 1
      if (pos < 0) return false
    }

    if (bytes[pos + 1] !== CLOSE_BRACE) return false
    pos += 2
    row++
    if (bytes[pos] === CLOSE_BRACKET) break
    if (row === prices.length) return false
    piece = pieces.following(piece, pos)
    if (piece === null) return false
    pos += piece.length
  }

  if (bytes[pos + 1] !== COMMA) return false
  pos += 2
  if (view.getFloat64(pos, true) !== time0 || view.getFloat64(pos + 5, true) !== time5) return false
  pos = readMillis(pos + 13, into.times, message)
  if (
    pos + 29 !== length ||
    view.getFloat64(pos, true) !== event0 ||
    view.getFloat64(pos + 8, true) !== event8 ||
    view.getFloat64(pos + 16, true) !== event16 ||
    view.getFloat64(pos + 21, true) !== event21
  )
    return false
  into.rows = row
  into.close(PRICE_CHANGE)
  return true
}
