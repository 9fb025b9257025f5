// Texts as the engine's own writer of JSON has them, and as CSV wants them. They are bytes all the way: nothing is decoded.

/** A byte of a text may take six of JSON, and the text its quotes. */
export const jsonBytesMax = (bytes: number): number => 6 * bytes + 2
/** A quote is doubled. */
export const csvBytesMax = (bytes: number): number => 2 * bytes + 2

const quote = 0x22
const backslash = 0x5c
/** What follows the backslash; 0: the byte stands for itself; 1: see below. */
const escapeOf = new Uint8Array(256)
for (let byte = 0; byte < 0x20; byte++) escapeOf[byte] = 1
for (const [byte, sign] of ['\bb', '\ff', '\nn', '\rr', '\tt', '""', '\\\\', '//'])
  escapeOf[byte!.charCodeAt(0)] = sign!.charCodeAt(0)
/** Begins U+2028 and U+2029, which the engine escapes. */
escapeOf[0xe2] = 1

/** The text between `start` and `end`, quoted. */
export function putJson(out: Uint8Array, to: number, from: Uint8Array, start: number, end: number): number {
  let at = to
  out[at++] = quote
  for (let i = start; i < end; i++) {
    const byte = from[i]!
    const sign = escapeOf[byte]!
    if (sign === 0) out[at++] = byte
    else if (sign > 1) {
      out[at++] = backslash
      out[at++] = sign
    } else if (byte < 0x20) at = putAscii(out, at, `\\u00${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    else if (i + 2 < end && from[i + 1] === 0x80 && (from[i + 2]! & 0xfe) === 0xa8) {
      at = putAscii(out, at, from[i + 2] === 0xa8 ? '\\u2028' : '\\u2029')
      i += 2
    } else out[at++] = byte
  }
  out[at++] = quote
  return at
}

/** Quoted where it has to be; an empty one is, because nothing at all is null. */
export function putCsv(out: Uint8Array, to: number, from: Uint8Array, start: number, end: number): number {
  let at = to
  if (!isQuoted(from, start, end)) {
    for (let i = start; i < end; i++) out[at++] = from[i]!
    return at
  }
  out[at++] = quote
  for (let i = start; i < end; i++) {
    const byte = from[i]!
    if (byte === quote) out[at++] = quote
    out[at++] = byte
  }
  out[at++] = quote
  return at
}

function isQuoted(from: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = from[i]!
    if (byte === quote || byte === 0x2c || byte === 0x0a || byte === 0x0d) return true
  }
  return start === end
}

function putAscii(out: Uint8Array, to: number, text: string): number {
  for (let i = 0; i < text.length; i++) out[to + i] = text.charCodeAt(i)
  return to + text.length
}

const put = { json: putJson, csv: putCsv }
const room = { json: jsonBytesMax, csv: csvBytesMax }

/** A text that is the same in every row. */
export function encoded(text: string, format: keyof typeof put): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  const out = new Uint8Array(room[format](bytes.length))
  return out.slice(0, put[format](out, 0, bytes, 0, bytes.length))
}

/** For what is written as it stands. */
export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
