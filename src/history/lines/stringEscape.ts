// Texts as the engine's JSON writer prints them, and as CSV needs them. They stay bytes throughout: nothing is decoded.

import { putText } from './numberFormat.ts'

/** A byte of text may become six of JSON; plus the quotes. */
export const jsonBytesMax = (bytes: number): number => 6 * bytes + 2
/** A quote is doubled; plus the quotes, and the apostrophe before a formula. */
export const csvBytesMax = (bytes: number): number => 2 * bytes + 3

const quote = 0x22
/** The character after the backslash; 0: the byte needs no escape; 1: see below. */
const escapeOf = new Uint8Array(256)
for (let byte = 0; byte < 0x20; byte++) escapeOf[byte] = 1
for (const [byte, sign] of ['\bb', '\ff', '\nn', '\rr', '\tt', '""', '\\\\', '//'])
  escapeOf[byte!.charCodeAt(0)] = sign!.charCodeAt(0)
/** Starts U+2028 and U+2029, which the engine escapes. */
escapeOf[0xe2] = 1

/** The text between `start` and `end`, quoted. */
export function putJson(out: DataView, to: number, from: DataView, start: number, end: number): number {
  out.setUint8(to, quote)
  let at = to + 1
  let i = start
  while (i < end) {
    const plain = copyPlain(out, at, from, i, end)
    at += plain
    i += plain
    if (i === end) break
    const byte = from.getUint8(i++)
    const sign = escapeOf[byte]!
    if (sign === 0) out.setUint8(at++, byte)
    else if (sign > 1) at = putText(out, at, `\\${String.fromCharCode(sign)}`)
    else if (byte < 0x20) at = putText(out, at, `\\u00${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    else if (i + 1 < end && from.getUint8(i) === 0x80 && (from.getUint8(i + 1) & 0xfe) === 0xa8) {
      at = putText(out, at, from.getUint8(i + 1) === 0xa8 ? '\\u2028' : '\\u2029')
      i += 2
    } else out.setUint8(at++, byte)
  }
  out.setUint8(at, quote)
  return at + 1
}

/**
 * Copies while four bytes in a row are ASCII without escapes, which covers nearly every id. Returns how many it copied.
 */
function copyPlain(out: DataView, to: number, from: DataView, start: number, end: number): number {
  let i = start
  for (; i + 4 <= end; i += 4) {
    const word = from.getUint32(i, true)
    // Sets the high bit of a byte that is non-ASCII, below a space, or one of three. A borrow may flag one byte too many.
    const special =
      word |
      (word - 0x20202020) |
      ((word ^ 0x22222222) - 0x01010101) |
      ((word ^ 0x5c5c5c5c) - 0x01010101) |
      ((word ^ 0x2f2f2f2f) - 0x01010101)
    if ((special & 0x80808080) !== 0) break
    out.setUint32(to + i - start, word, true)
  }
  return i - start
}

/** What makes a spreadsheet run a text as a formula when it comes first. */
const formulaSigns: ReadonlySet<number> = new Set(['=', '+', '-', '@', '\t', '\r'].map((sign) => sign.charCodeAt(0)))
const apostrophe = 0x27

/**
 * Quoted where necessary; an empty text is quoted because an empty field means null. A text that a spreadsheet would run begins with an
 * apostrophe, which marks it as text.
 */
export function putCsv(out: DataView, to: number, from: DataView, start: number, end: number): number {
  const isFormula = start < end && formulaSigns.has(from.getUint8(start))
  let at = to
  const isInQuotes = isQuoted(from, start, end)
  if (isInQuotes) out.setUint8(at++, quote)
  if (isFormula) out.setUint8(at++, apostrophe)
  if (!isInQuotes) return copy(out, at, from, start, end)
  for (let i = start; i < end; i++) {
    const byte = from.getUint8(i)
    if (byte === quote) out.setUint8(at++, quote)
    out.setUint8(at++, byte)
  }
  out.setUint8(at, quote)
  return at + 1
}

function isQuoted(from: DataView, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = from.getUint8(i)
    if (byte === quote || byte === 0x2c || byte === 0x0a || byte === 0x0d) return true
  }
  return start === end
}

function copy(out: DataView, to: number, from: DataView, start: number, end: number): number {
  let i = start
  for (; i + 4 <= end; i += 4) out.setUint32(to + i - start, from.getUint32(i, true), true)
  for (; i < end; i++) out.setUint8(to + i - start, from.getUint8(i))
  return to + end - start
}

const put = { json: putJson, csv: putCsv }
const sizeMax = { json: jsonBytesMax, csv: csvBytesMax }

/** A text that is the same in every row. */
export function encoded(text: string, format: keyof typeof put): Uint8Array {
  const { buffer, length } = ascii(text)
  const out = new Uint8Array(sizeMax[format](length))
  return out.slice(0, put[format](new DataView(out.buffer), 0, new DataView(buffer, 0, length), 0, length))
}

/** For text that needs no escaping. */
export const ascii = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))
