// Readers of single values for the byte scanner, from the scratch area that holds the frame.
//
// Every reader takes the position of its first byte and returns the position after what it read, −1 when it refuses. Values go straight into
// columns: a double returned from a call would be allocated.
import { ONE } from '#core/price'
import { sameWords, wordCount, wordOffset } from './asciiWords.ts'
import type { AssetState } from './assetState.ts'
import { type AssetTable, scannedIdLengthMin } from './assets.ts'
import { scratch } from './buffers.ts'
import { powersOfTen } from './decimal.ts'

const { bytes, view } = scratch

/** Digits that are exact in a double. */
const exactDigitsMax = 15
const unitOfPlaces = new Float64Array(powersOfTen)

const DOT = 0x2e
const ZERO = 0x30
const BACKSLASH = 0x5c
const QUOTE = 0x22

export const four = (text: string): number => Buffer.from(text, 'latin1').readInt32LE(0)

/** A text of 8 to 16 bytes, compared as its first and its last eight. ASCII never forms a NaN or a zero, so `===` compares the bytes. */
export interface Literal {
  length: number
  head: number
  tail: number
}
export const literal = (text: string): Literal => {
  if (text.length < 8 || text.length > 16) throw new RangeError(`literal of ${text.length} bytes`)
  const encoded = Buffer.from(text, 'latin1')
  return { length: text.length, head: encoded.readDoubleLE(0), tail: encoded.readDoubleLE(text.length - 8) }
}

export const literalAt = (pos: number, text: Literal): boolean =>
  view.getFloat64(pos, true) === text.head && view.getFloat64(pos + text.length - 8, true) === text.tail

/** Bytes a quoted text may hold without JSON escapes or UTF-8: everything printable but `"` and `\`. */
const plain = new Uint8Array(256)
for (let byte = 0x20; byte < 0x7f; byte++) plain[byte] = byte === QUOTE || byte === BACKSLASH ? 0 : 1

/** Text without escapes, past its closing quote. */
export function skipText(from: number): number {
  let pos = from
  while (plain[bytes[pos] as number] === 1) pos++
  return bytes[pos] === QUOTE ? pos + 1 : -1
}

/** A book hash, past its closing quote. The venue's have 40 hex digits; other plain text is read byte by byte. */
export function skipHash(from: number): number {
  if (bytes[from + 40] !== QUOTE) return skipText(from)
  // Four bytes at a time: bit 7 clear, bit 5 set, and bit 6 or 4. That is 0x30-0x3f and 0x60-0x7f: hex digits, and nothing that JSON text may
  // not contain.
  let all = -1
  let any = 0
  let either = -1
  for (let word = from; word < from + 40; word += 4) {
    const four = view.getInt32(word, true)
    all &= four
    any |= four
    either &= four | (four >>> 2)
  }
  const plainHash =
    (all & 0x20202020) === 0x20202020 && (any & 0x80808080) === 0 && (either & 0x10101010) === 0x10101010
  return plainHash ? from + 41 : skipText(from)
}

/** `0.` as two bytes. */
const zeroDot = 0x2e30
/** Micros that the last of n decimal places represents. */
const microsPerPlace = new Int32Array([0, 100_000, 10_000, 1_000, 100, 10, 1])

/** A plain decimal in [0,1] with at most six places, past its closing quote. */
export function readMicros(from: number, into: Int32Array, index: number): number {
  // `0.dd` separately: by far the most common, and short enough to be inlined.
  const word = view.getInt32(from, true)
  if (bytes[from + 4] === QUOTE && (word & 0xffff) === zeroDot) {
    const tenths = ((word >>> 16) & 0xff) - ZERO
    const hundredths = (word >>> 24) - ZERO
    if (tenths >= 0 && tenths <= 9 && hundredths >= 0 && hundredths <= 9) {
      into[index] = tenths * 100_000 + hundredths * 10_000
      return from + 5
    }
  }
  return readAnyMicros(from, into, index)
}

function readAnyMicros(from: number, into: Int32Array, index: number): number {
  const whole = (bytes[from] as number) - ZERO
  if (whole !== 0 && whole !== 1) return -1
  if (bytes[from + 1] === QUOTE) {
    into[index] = whole * ONE
    return from + 2
  }
  if (bytes[from + 1] !== DOT) return -1
  const start = from + 2
  let pos = start
  let fraction = 0
  for (let byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
    const digit = byte - ZERO
    if (digit < 0 || digit > 9 || pos - start >= 6) return -1
    fraction = fraction * 10 + digit
  }
  if (pos === start || (whole === 1 && fraction !== 0)) return -1
  into[index] = whole * ONE + fraction * (microsPerPlace[pos - start] as number)
  return pos + 1
}

/** A plain decimal of at most 15 digits, exactly `Number(text)`, past its closing quote. */
export function readSize(from: number, into: Float64Array, index: number): number {
  let pos = from
  let mantissa = 0
  let dot = 0
  for (let byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
    const digit = byte - ZERO
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit
    else if (byte === DOT && dot === 0 && pos > from) dot = pos
    else return -1
  }
  const digits = dot === 0 ? pos - from : pos - from - 1
  if (digits === 0 || digits > exactDigitsMax) return -1
  if (dot === 0) into[index] = mantissa
  else {
    if (dot === pos - 1) return -1
    into[index] = mantissa / (unitOfPlaces[pos - dot - 1] as number)
  }
  return pos + 1
}

/** Epoch milliseconds in digits, at most 15, past the closing quote. */
export function readMillis(from: number, into: Float64Array, index: number): number {
  // 13 digits from 2001 to 2286: three groups of four and one.
  if (bytes[from + 13] === QUOTE) {
    const first = fourDigits(view.getInt32(from, true))
    const second = fourDigits(view.getInt32(from + 4, true))
    const third = fourDigits(view.getInt32(from + 8, true))
    const last = (bytes[from + 12] as number) - ZERO
    if (first < 0 || second < 0 || third < 0 || last < 0 || last > 9) return -1
    into[index] = (first * 10_000 + second) * 100_000 + (third * 10 + last)
    return from + 14
  }
  let pos = from
  let value = 0
  for (let byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
    const digit = byte - ZERO
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  if (pos === from || pos - from > exactDigitsMax) return -1
  into[index] = value
  return pos + 1
}

/** The value of four ASCII digits, −1 when one is not a digit. Adjacent digits are paired, then the pairs. */
function fourDigits(word: number): number {
  if ((word & 0xf0f0f0f0) !== 0x30303030 || ((word + 0x06060606) & 0xf0f0f0f0) !== 0x30303030) return -1
  const digits = word & 0x0f0f0f0f
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff
  return (pairs & 0xff) * 100 + (pairs >>> 16)
}

/** A token id, past its closing quote; writes null into the column when it is not one of `assets`. */
export function readAsset(from: number, assets: AssetTable, into: (AssetState | null)[], index: number): number {
  // Nearly all ids have 76 to 78 digits, so the closing quote is looked for there first. A quote found there may be a later one.
  const usual = bytes[from + 77] === QUOTE ? 77 : bytes[from + 76] === QUOTE ? 76 : bytes[from + 78] === QUOTE ? 78 : 0
  if (usual !== 0) {
    const asset = assets.find(view, from, usual)
    into[index] = asset
    if (asset !== null || allDigits(from, usual)) return from + usual + 1
  }
  let length = 0
  while (length < 76 && bytes[from + length] !== QUOTE) length++
  if (length < scannedIdLengthMin || length === 76) return -1
  const asset = assets.find(view, from, length)
  into[index] = asset
  return asset !== null || allDigits(from, length) ? from + length + 1 : -1
}

/** Digits in every byte (or `:;<=>?`, which JSON text may contain as well). */
function allDigits(from: number, length: number): boolean {
  for (let i = wordCount(length) - 1; i >= 0; i--) {
    const word = from + wordOffset(i, length)
    if (((view.getInt32(word, true) ^ 0x30303030) & 0xf0f0f0f0) !== 0) return false
    if (((view.getInt32(word + 4, true) ^ 0x30303030) & 0xf0f0f0f0) !== 0) return false
  }
  return true
}

/** `0x` and 64 hex digits. */
const conditionIdLength = 66

/** Past the closing quote, whatever is inside: `marketIsPlain` checks it once the asset is known. */
export const skipMarket = (from: number): number =>
  bytes[from + conditionIdLength] === QUOTE ? from + conditionIdLength + 1 : skipText(from)

/** An asset's market text hardly ever changes: comparing it with the previous one is cheaper than checking it again. */
export function marketIsPlain(from: number, to: number, known: AssetState | null): boolean {
  const length = to - 1 - from
  if (length !== conditionIdLength) return true // `skipText` checked it
  const words = known?.marketWords
  if (words !== undefined && words.length > 0 && sameWords(view, from, length, words)) return true
  for (let pos = from; pos < from + length; pos++) if (plain[bytes[pos] as number] !== 1) return false
  if (known !== null) {
    known.marketWords = new Float64Array(wordCount(length))
    for (let i = 0; i < known.marketWords.length; i++)
      known.marketWords[i] = view.getFloat64(from + wordOffset(i, length), true)
  }
  return true
}
