// Books as frame bytes: `{"bids":[…],"asks":[…],"timestamp":N` without the closing brace; each reader appends the fields its frame needs.
import { Fault } from '#core/fault'
import { ONE } from '#core/price'
import type { Book } from './book.ts'
import { numberBytesMax, writeEpoch, writePrice, writeSize, writeText } from './jsonBytes.ts'
import { loadScratch, scratch } from './snapshotBuffer.ts'

const opening = '{"bids":['
const middle = '],"asks":['
const ending = '],"timestamp":'
export const levelJsonPrefix = '{"price":'
export const sizeKey = ',"size":'
/** `{"price":0.123456,"size":` + number + `},`. */
const levelBytesMax = 40 + numberBytesMax
const frameBytesMax = opening.length + middle.length + ending.length + numberBytesMax

export const BRACE = 125
export const COMMA = 44
const COLON = 58
export const ZERO = 48

let bytes = new Uint8Array(64 * 1024)
let view = new DataView(bytes.buffer)

/** Both sides in full, best first. Every call returns new bytes: a frame may still wait in a socket when the next one is made. */
export function encodeCore(book: Book, timestamp: number): Buffer {
  loadScratch(book)
  reserve((scratch.bids + scratch.asks) * levelBytesMax + frameBytesMax)
  let at = writeText(view, 0, opening)
  at = writeLevels(at, 0, scratch.bids)
  at = writeText(view, at, middle)
  at = writeLevels(at, scratch.bids, scratch.asks)
  at = writeText(view, at, ending)
  return taken(writeEpoch(view, at, timestamp))
}

/** The book of the other side: its bids are 1 − the asks, its asks 1 − the bids; sizes unchanged, best first. */
export function complementCore(core: Buffer): Buffer {
  const { asksAt, asksEnd, bidsEnd } = sections(core)
  // 1 − price has as many decimals as the price, so the length does not change.
  reserve(core.length + levelBytesMax)
  let at = writeText(view, 0, opening)
  at = writeComplement(core, asksAt, asksEnd, at)
  at = writeText(view, at, middle)
  at = writeComplement(core, opening.length, bidsEnd, at)
  bytes.set(core.subarray(asksEnd), at)
  return taken(at + core.length - asksEnd)
}

/** The best `levels` of each side. Returns the same bytes when there are no more. */
export function limitCore(core: Buffer, levels: number): Buffer {
  const { asksAt, asksEnd, bidsEnd } = sections(core)
  const bidsTo = endOfLevels(core, opening.length, bidsEnd, levels)
  const asksTo = endOfLevels(core, asksAt, asksEnd, levels)
  if (bidsTo === bidsEnd && asksTo === asksEnd) return core
  return Buffer.concat([
    core.subarray(0, bidsTo),
    core.subarray(bidsEnd, asksAt),
    core.subarray(asksAt, asksTo),
    core.subarray(asksEnd),
  ])
}

/** A core without levels, for a book that was never received. */
export const emptyCore = (timestamp: number): Buffer =>
  Buffer.from(`${opening}${middle}${ending}${timestamp}`, 'latin1')

/** Eight ASCII bytes packed into a double, so that one store writes them all. None of these is a NaN. */
const word = (text: string): number => Buffer.from(text, 'latin1').readDoubleLE(0)
const priceWord = word('{"price"')
const sizeWord = word(sizeKey)

function writeLevels(start: number, from: number, count: number): number {
  const out = view
  const { prices, sizes } = scratch
  let at = start
  for (let i = from; i < from + count; i++) {
    if (i !== from) out.setUint8(at++, COMMA)
    out.setFloat64(at, priceWord, true)
    out.setUint8(at + 8, COLON)
    at = writePrice(out, at + 9, prices[i]!)
    out.setFloat64(at, sizeWord, true)
    at = writeSize(out, at + 8, sizes[i]!)
    out.setUint8(at++, BRACE)
  }
  return at
}

interface Sections {
  bidsAt: number
  bidsEnd: number
  asksAt: number
  asksEnd: number
}

/** Offsets of both sides' levels. Throws Fault `INTERNAL` for anything the encoder did not write. */
export function sections(core: Buffer): Sections {
  const bidsEnd = core.indexOf(middle, opening.length - 1, 'latin1')
  const asksAt = bidsEnd + middle.length
  const asksEnd = bidsEnd < 0 ? -1 : core.indexOf(ending, asksAt, 'latin1')
  if (asksEnd < 0) throw fencedOut()
  return { bidsAt: opening.length, bidsEnd, asksAt, asksEnd }
}

function writeComplement(core: Buffer, from: number, to: number, start: number): number {
  const out = bytes
  let at = start
  let read = from
  while (read < to) {
    view.setFloat64(at, priceWord, true)
    out[at + 8] = COLON
    const price = read + levelJsonPrefix.length
    let comma = price + 1
    while (core[comma] !== COMMA) if (++comma >= to) throw fencedOut()
    at = writePrice(view, at + levelJsonPrefix.length, ONE - readMicros(core, price, comma))
    read = comma
    for (let byte = 0; byte !== BRACE && read < to; ) {
      byte = core[read++]!
      out[at++] = byte
    }
    if (read < to) out[at++] = core[read++]!
  }
  return at
}

/** Reads `0`, `1` or `0.415` as our encoder writes them. */
export function readMicros(core: Buffer, from: number, to: number): number {
  let micros = (core[from]! - ZERO) * ONE
  let unit = ONE
  for (let i = from + 2; i < to; i++) {
    unit /= 10
    micros += (core[i]! - ZERO) * unit
  }
  if (!(Number.isInteger(micros) && micros >= 0 && micros <= ONE)) throw fencedOut()
  return micros
}

/** End offset of the first `levels` levels between `from` and `to`. */
function endOfLevels(core: Buffer, from: number, to: number, levels: number): number {
  let at = from
  for (let i = 0; i < levels; i++) {
    const brace = core.indexOf(BRACE, at)
    if (brace < 0 || brace >= to) return to
    at = brace + 1
  }
  return at
}

function reserve(size: number): void {
  if (size <= bytes.length) return
  bytes = new Uint8Array(2 ** Math.ceil(Math.log2(size)))
  view = new DataView(bytes.buffer)
}

const taken = (length: number): Buffer => Buffer.from(bytes.subarray(0, length))

export const fencedOut = (): Fault =>
  new Fault('INTERNAL', 'internal error', { detail: 'book core is not in the layout of the encoder' })
