// Signed decimals and ISO times as JSON bytes, equal to what JSON.stringify prints.

const ZERO = 48
const DOT = 46
const MINUS = 45

/** `-123456789012.123456` and padding: up to this many bytes may be overwritten after a number. */
export const decimalBytesMax = 24
/** `2026-09-30T12:34:56.789Z` */
export const isoBytes = 24

const pairs = Uint16Array.from({ length: 100 }, (_, i) => (ZERO + Math.floor(i / 10)) | ((ZERO + (i % 10)) << 8))

/** A whole number of millionths, |value| < 10^15, as a decimal: −1250000 becomes `-1.25`. */
export function writeDecimal(out: DataView, start: number, millionths: number): number {
  let at = start
  let value = millionths
  if (value < 0) {
    out.setUint8(at++, MINUS)
    value = -value
  }
  const whole = Math.floor(value / 1e6)
  at = writeWhole(out, at, whole)
  const rest = value - whole * 1e6
  if (rest === 0) return at
  out.setUint8(at, DOT)
  const upper = (rest / 10_000) | 0
  const lower = (rest - upper * 10_000) | 0
  const middle = (lower / 100) | 0
  out.setUint16(at + 1, pairs[upper]!, true)
  if (lower === 0) return upper % 10 === 0 ? at + 2 : at + 3
  out.setUint16(at + 3, pairs[middle]!, true)
  const last = lower - middle * 100
  if (last === 0) return middle % 10 === 0 ? at + 4 : at + 5
  out.setUint16(at + 5, pairs[last]!, true)
  return last % 10 === 0 ? at + 6 : at + 7
}

function writeWhole(out: DataView, at: number, value: number): number {
  if (value < 10) {
    out.setUint8(at, ZERO + value)
    return at + 1
  }
  let digits = 2
  for (let bound = 100; value >= bound; bound *= 10) digits++
  let left = value
  let to = at + digits
  while (left >= 100) {
    const next = Math.floor(left / 100)
    to -= 2
    out.setUint16(to, pairs[left - next * 100]!, true)
    left = next
  }
  if (left >= 10) out.setUint16(at, pairs[left]!, true)
  else out.setUint8(at, ZERO + left)
  return at + digits
}

const dayMs = 86_400_000
let knownDay = NaN
let dayWord = 0
let dayRest = 0

/** Epoch ms (fractions truncated) as `Date.toISOString` prints it, for years 0 to 9999. */
export function writeIso(out: DataView, at: number, epochMs: number): number {
  const ms = Math.trunc(epochMs)
  const day = Math.floor(ms / dayMs)
  if (day !== knownDay) {
    const text = Buffer.from(new Date(day * dayMs).toISOString(), 'latin1')
    dayWord = text.readDoubleLE(0)
    dayRest = text.readInt32LE(8)
    knownDay = day
  }
  out.setFloat64(at, dayWord, true)
  out.setInt32(at + 8, dayRest, true)
  const time = ms - day * dayMs
  const hours = (time / 3_600_000) | 0
  const minutes = ((time - hours * 3_600_000) / 60_000) | 0
  const seconds = ((time - hours * 3_600_000 - minutes * 60_000) / 1_000) | 0
  const millis = time % 1_000
  const hundreds = (millis / 100) | 0
  out.setUint16(at + 11, pairs[hours]!, true)
  out.setUint8(at + 13, 58)
  out.setUint16(at + 14, pairs[minutes]!, true)
  out.setUint8(at + 16, 58)
  out.setUint16(at + 17, pairs[seconds]!, true)
  out.setUint8(at + 19, DOT)
  out.setUint8(at + 20, ZERO + hundreds)
  out.setUint16(at + 21, pairs[millis - hundreds * 100]!, true)
  out.setUint8(at + 23, 90)
  return at + isoBytes
}
