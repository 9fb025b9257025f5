// Numbers of a book frame as JSON bytes, identical to JSON.stringify's output for the same double. Writes several bytes per store: this is the
// hot path.
import { ONE } from '#core/price'

/** Maximum bytes of one size or timestamp: `-1.2345678901234567e-300` and some slack. As many bytes after a number may be overwritten. */
export const numberBytesMax = 26

const ZERO = 48
const DOT = 46

/** `00` to `99` as two ASCII bytes, little endian. */
const pairs = Uint16Array.from({ length: 100 }, (_, i) => (ZERO + Math.floor(i / 10)) | ((ZERO + (i % 10)) << 8))

/** `0.00` to `0.99` as four ASCII bytes, little endian. */
const cents = Int32Array.from({ length: 100 }, (_, i) => ZERO | (DOT << 8) | (pairs[i]! << 16))

/** A price in micros as a probability: 415000 becomes `0.415`. */
export function writePrice(out: DataView, at: number, micros: number): number {
  if (micros === 0 || micros === ONE) {
    out.setUint8(at, micros === 0 ? ZERO : ZERO + 1)
    return at + 1
  }
  const cent = (micros / 10_000) | 0
  const rest = micros - cent * 10_000
  out.setInt32(at, cents[cent]!, true)
  if (rest === 0) return cent % 10 === 0 ? at + 3 : at + 4
  const hundredths = (rest / 100) | 0
  out.setUint16(at + 4, pairs[hundredths]!, true)
  out.setUint16(at + 6, pairs[rest - hundredths * 100]!, true)
  return trimZeros(out, at + 8)
}

/**
 * A size. Up to six decimals and fifteen digits, integer arithmetic suffices: a decimal that short is the only one of its length that
 * parses to its double, so it is the shortest, which is what JavaScript prints. Everything else goes through `String`.
 */
export function writeSize(out: DataView, at: number, size: number): number {
  if (size >= 0 && size < 1e9) {
    const whole = size | 0
    if (whole === size) return writeInt(out, at, whole)
    const hundredths = Math.round(size * 100)
    if (hundredths / 100 === size) {
      const end = writeInt(out, at, whole)
      const fraction = hundredths - whole * 100
      out.setUint8(end, DOT)
      out.setUint16(end + 1, pairs[fraction]!, true)
      return fraction % 10 === 0 ? end + 2 : end + 3
    }
    const millionths = Math.round(size * 1e6)
    if (millionths / 1e6 === size) {
      const end = writeInt(out, at, whole)
      out.setUint8(end, DOT)
      return trimZeros(out, writeSix(out, end + 1, millionths - whole * 1e6))
    }
  }
  return writeText(out, at, String(size))
}

/** An integer such as an epoch time in milliseconds. */
export function writeEpoch(out: DataView, at: number, value: number): number {
  if (!(value >= 1e9 && value < 1e15 && Number.isInteger(value))) return writeText(out, at, String(value))
  const upper = Math.floor(value / 1e6)
  return writeSix(out, writeInt(out, at, upper), value - upper * 1e6)
}

/** ASCII only. */
export function writeText(out: DataView, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) out.setUint8(at + i, text.charCodeAt(i))
  return at + text.length
}

/** 0 to 2^31 − 1. */
function writeInt(out: DataView, at: number, value: number): number {
  if (value < 10) {
    out.setUint8(at, ZERO + value)
    return at + 1
  }
  let digits = 2
  for (let bound = 100; digits < 10 && value >= bound; bound *= 10) digits++
  let left = value
  let to = at + digits
  while (left >= 100) {
    const next = (left / 100) | 0
    to -= 2
    out.setUint16(to, pairs[left - next * 100]!, true)
    left = next
  }
  if (left >= 10) out.setUint16(at, pairs[left]!, true)
  else out.setUint8(at, ZERO + left)
  return at + digits
}

/** 0 to 999,999 with leading zeros. */
function writeSix(out: DataView, at: number, value: number): number {
  const upper = (value / 10_000) | 0
  const rest = (value - upper * 10_000) | 0
  const middle = (rest / 100) | 0
  out.setUint16(at, pairs[upper]!, true)
  out.setUint16(at + 2, pairs[middle]!, true)
  out.setUint16(at + 4, pairs[rest - middle * 100]!, true)
  return at + 6
}

/** The caller guarantees a digit other than zero before `end`. */
function trimZeros(out: DataView, end: number): number {
  let to = end
  while (out.getUint8(to - 1) === ZERO) to--
  return to
}
