// The most frequent frame, the order-book delta, read eight bytes at a time. The bytes are copied to a scratch area, so that a DataView
// compares words; the constant part of a market's deltas (ticker, market id and the keys around them) is remembered as one piece and compared
// whole. Every byte is checked: accepted input equals what JSON.parse would yield, anything else is refused.
import { ascii, Scanner } from './bytes.ts'
import { isLevelPrice } from './price.ts'

export interface DeltaHandler {
  delta(sid: number, seq: number, ticker: string, isYes: boolean, micros: number, delta: number, tsMs: number): void
}

/** A delta has some 250 bytes. */
const frameBytesMax = 1_024
/** Longest piece remembered: ticker and market id of 64 bytes each. */
const pieceBytesMax = 192
/** After every frame, so that loops meet a terminating byte and word reads stay in bounds. */
const guardBytes = 64

const bytes = new Uint8Array(frameBytesMax + guardBytes)
const view = new DataView(bytes.buffer)

const QUOTE = 34
const MINUS = 45
const DOT = 46
const ZERO = 48
const COLON = 58
const CAPITAL_Z = 90
const CLOSE_BRACE = 125

/** ASCII never forms a NaN or a zero, so `===` on the doubles compares the bytes. */
const eight = (text: string): number => Buffer.from(text, 'latin1').readDoubleLE(0)
const four = (text: string): number => Buffer.from(text, 'latin1').readInt32LE(0)

const head = ['{"type":', '"orderbo', 'ok_delta', '","sid":'].map(eight) as [number, number, number, number]
const headLength = 32
const seqKey = [four(',"se'), four('eq":')] as const
const msgKey = [eight(',"msg":{'), eight('"market_'), eight('ticker":'), QUOTE] as const
const msgLength = 25
const deltaKey = [eight('","delta'), eight('lta_fp":'), QUOTE] as const
const deltaKeyLength = 14
const sideKey = [eight('","side"'), four('e":"')] as const
const yesQuote = four('yes"')
const noQuote = four('no",')
const tsKey = [four(',"ts'), four('s":"')] as const
const msKey = eight(',"ts_ms"')

const unitOfPlaces = new Float64Array([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
])
/** Digits that are exact in a double, as is their quotient by an exact power of ten. */
const exactDigitsMax = 15

/** The bytes between `"market_ticker":"` and the digits of the price, by words. */
interface Piece {
  ticker: string
  words: Float64Array
  /** The last eight bytes, which may overlap the words. */
  tail: number
  length: number
}

const marketIdKey = ascii(',"market_id":"')
const priceKey = ascii(',"price_dollars":"')

/** Reads deltas; one per session, because of the pieces it remembers. */
export class DeltaScanner {
  private readonly slow = new Scanner()
  private readonly pieces: (Piece | undefined)[]
  private readonly mask: number

  /** `slots`: a power of two, about four times the number of markets. */
  constructor(slots: number) {
    this.mask = slots - 1
    this.pieces = new Array<Piece | undefined>(slots).fill(undefined)
  }

  /** False: the handler was not called. */
  scan(frame: Uint8Array, handler: DeltaHandler): boolean {
    const end = frame.length
    if (end > frameBytesMax || end < headLength + msgLength) return false
    bytes.set(frame)
    bytes[end] = 0
    if (
      view.getFloat64(0, true) !== head[0] ||
      view.getFloat64(8, true) !== head[1] ||
      view.getFloat64(16, true) !== head[2] ||
      view.getFloat64(24, true) !== head[3]
    )
      return false

    let pos = headLength
    let digits = 0
    let sid = 0
    for (let digit = (bytes[pos] as number) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++pos] as number) - ZERO)
      sid = sid * 10 + digit
    digits = pos - headLength
    if (digits === 0 || digits > exactDigitsMax || (digits > 1 && bytes[headLength] === ZERO)) return false

    if (view.getInt32(pos, true) !== seqKey[0] || view.getInt32(pos + 3, true) !== seqKey[1]) return false
    pos += 7
    const seqFrom = pos
    let seq = 0
    for (let digit = (bytes[pos] as number) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++pos] as number) - ZERO)
      seq = seq * 10 + digit
    digits = pos - seqFrom
    if (digits === 0 || digits > exactDigitsMax || (digits > 1 && bytes[seqFrom] === ZERO)) return false

    if (
      view.getFloat64(pos, true) !== msgKey[0] ||
      view.getFloat64(pos + 8, true) !== msgKey[1] ||
      view.getFloat64(pos + 16, true) !== msgKey[2] ||
      bytes[pos + 24] !== msgKey[3]
    )
      return false
    pos += msgLength
    const piece = this.pieceAt(pos, end)
    if (piece === null) return false
    pos += piece.length

    const micros = microsAt(pos)
    if (!isLevelPrice(micros)) return false
    pos = behindMicros
    if (
      view.getFloat64(pos, true) !== deltaKey[0] ||
      view.getFloat64(pos + 5, true) !== deltaKey[1] ||
      bytes[pos + 13] !== deltaKey[2]
    )
      return false
    pos += deltaKeyLength

    const negative = bytes[pos] === MINUS
    if (negative) pos++
    const from = pos
    let mantissa = 0
    let dot = 0
    for (let byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
      const digit = byte - ZERO
      if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit
      else if (byte === DOT && dot === 0 && pos > from) dot = pos
      else return false
    }
    const places = dot === 0 ? 0 : pos - dot - 1
    digits = dot === 0 ? pos - from : pos - from - 1
    if (digits === 0 || digits > exactDigitsMax || dot === pos - 1) return false
    if (bytes[from] === ZERO && digits - places > 1) return false
    const size = places === 0 ? mantissa : mantissa / (unitOfPlaces[places] as number)

    if (view.getFloat64(pos, true) !== sideKey[0] || view.getInt32(pos + 6, true) !== sideKey[1]) return false
    pos += 10
    const word = view.getInt32(pos, true)
    const isYes = word === yesQuote
    if (isYes) pos += 4
    else if (word === noQuote) pos += 3
    else return false

    if (view.getInt32(pos, true) === tsKey[0] && view.getInt32(pos + 3, true) === tsKey[1]) {
      pos = behindTime(pos + 7)
      if (pos < 0) return false
    }
    if (view.getFloat64(pos, true) !== msKey || bytes[pos + 8] !== COLON) return false
    const tsMs = millisAt(pos + 9)
    pos = behindMillis
    if (tsMs < 0 || bytes[pos] !== CLOSE_BRACE || bytes[pos + 1] !== CLOSE_BRACE || pos + 2 !== end) return false
    handler.delta(sid, seq, piece.ticker, isYes, micros, negative ? -size : size, tsMs)
    return true
  }

  /** The remembered piece at this position, otherwise the piece read slowly and remembered; null when there is none. */
  private pieceAt(pos: number, end: number): Piece | null {
    const mixed =
      Math.imul(view.getInt32(pos + 8, true), 0x9e3779b1) ^
      Math.imul(view.getInt32(pos + 16, true), 0x85ebca6b) ^
      Math.imul(view.getInt32(pos + 20, true), 0xc2b2ae35) ^
      Math.imul(view.getInt32(pos + 24, true), 0x27d4eb2f)
    const slot = (mixed ^ (mixed >>> 15)) & this.mask
    const known = this.pieces[slot]
    if (known !== undefined && matchesPiece(known, pos)) return known

    const at = this.slow
    at.start(bytes)
    at.pos = pos
    at.end = end
    const ticker = at.text()
    if (ticker === null || !at.expect(marketIdKey) || !at.skipText() || !at.expect(priceKey)) return null
    const length = at.pos - pos
    const piece: Piece = {
      ticker,
      length,
      words: new Float64Array(length >> 3),
      tail: view.getFloat64(at.pos - 8, true),
    }
    for (let i = 0; i < piece.words.length; i++) piece.words[i] = view.getFloat64(pos + 8 * i, true)
    if (length <= pieceBytesMax) this.pieces[slot] = piece
    return piece
  }
}

function matchesPiece({ words, tail, length }: Piece, pos: number): boolean {
  if (pos + length > frameBytesMax) return false
  for (let i = 0; i < words.length; i++) if (view.getFloat64(pos + 8 * i, true) !== words[i]) return false
  return view.getFloat64(pos + length - 8, true) === tail
}

/** Positions after the readers below: a second return value without an object. */
let behindMicros = 0
let behindMillis = 0

/** A plain decimal in [0,1] with 1 to 6 places, or −1. */
function microsAt(pos: number): number {
  // `0.dddd`: nearly all of them.
  if (bytes[pos] === ZERO && bytes[pos + 1] === DOT && bytes[pos + 6] === QUOTE) {
    const places = fourDigits(view.getInt32(pos + 2, true))
    behindMicros = pos + 6
    return places < 0 ? -1 : places * 100
  }
  const whole = (bytes[pos] as number) - ZERO
  if ((whole !== 0 && whole !== 1) || bytes[pos + 1] !== DOT) return -1
  const from = pos + 2
  let at = from
  let fraction = 0
  for (let digit = (bytes[at] as number) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] as number) - ZERO)
    fraction = fraction * 10 + digit
  const places = at - from
  if (places === 0 || places > 6) return -1
  behindMicros = at
  return whole * 1_000_000 + fraction * (unitOfPlaces[6 - places] as number)
}

/** An unsigned integer of at most 15 digits, or −1. */
function millisAt(pos: number): number {
  // 13 digits from 2001 to 2286.
  if (bytes[pos + 13] === CLOSE_BRACE && bytes[pos] !== ZERO) {
    const first = fourDigits(view.getInt32(pos, true))
    const second = fourDigits(view.getInt32(pos + 4, true))
    const third = fourDigits(view.getInt32(pos + 8, true))
    const last = (bytes[pos + 12] as number) - ZERO
    behindMillis = pos + 13
    if (first < 0 || second < 0 || third < 0 || last < 0 || last > 9) return -1
    return (first * 10_000 + second) * 100_000 + (third * 10 + last)
  }
  let at = pos
  let value = 0
  for (let digit = (bytes[at] as number) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] as number) - ZERO)
    value = value * 10 + digit
  const digits = at - pos
  behindMillis = at
  return digits === 0 || digits > exactDigitsMax || (digits > 1 && bytes[pos] === ZERO) ? -1 : value
}

/**
 * Position after a deprecated time and its closing quote: `2026-08-07T06:46:28.97871Z`. −1 for any other form. Digit positions may also
 * hold `:;<=>?`: they are not interpreted, and are as harmless as digits.
 */
function behindTime(pos: number): number {
  if (
    (view.getInt32(pos, true) & 0xf0f0f0f0) !== 0x30303030 ||
    (view.getInt32(pos + 4, true) & 0xfff0f0ff) !== 0x2d30302d ||
    (view.getInt32(pos + 8, true) & 0xf0fff0f0) !== 0x30543030 ||
    (view.getInt32(pos + 12, true) & 0xf0f0fff0) !== 0x30303a30 ||
    (view.getInt32(pos + 16, true) & 0x00f0f0ff) !== 0x0030303a
  )
    return -1
  let at = pos + 19
  if (bytes[at] === DOT) at++
  for (let digit = (bytes[at] as number) - ZERO; digit >= 0 && digit <= 9; ) digit = (bytes[++at] as number) - ZERO
  return bytes[at] === CAPITAL_Z && bytes[at + 1] === QUOTE ? at + 2 : -1
}

/** The value of four ASCII digits, −1 when one is not a digit. Adjacent digits are paired, then the pairs. */
function fourDigits(word: number): number {
  if ((word & 0xf0f0f0f0) !== 0x30303030 || ((word + 0x06060606) & 0xf0f0f0f0) !== 0x30303030) return -1
  const digits = word & 0x0f0f0f0f
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff
  return (pairs & 0xff) * 100 + (pairs >>> 16)
}
