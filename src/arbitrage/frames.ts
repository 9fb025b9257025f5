// Arbitrage frames as bytes: rows are packed into parts of at most 200 KiB; every part of one frame carries its seq.

/** UTF-8 bytes of one message in total. */
export const messageBytesMax = 200 * 1024

export interface FrameHead {
  kind: 'snapshot' | 'delta'
  seq: number
  /** Epoch ms. */
  computedAt: number
  publishedAt: number
  intervalMs: number
  heartbeatMs: number
  contracts: number
  limit: number
}

/** Bytes `from` to `from + size` of one JSON value; copied, never kept. */
export interface Piece {
  bytes: Buffer
  size: number
}

/** Head and tail of a part never need more than this. */
const envelopeBytesMax = 640
/** A larger row fits in no message. */
export const rowBytesMax = messageBytesMax - envelopeBytesMax

const COMMA = 44

interface Part {
  rows: [from: number, to: number]
  removes: [from: number, to: number]
  bytes: number
}

/** The parts of one logical frame, in order; yields between them so that the caller can do other work. Only deltas have `removes`. */
export function* frameParts(head: FrameHead, rows: readonly Piece[], removes: readonly Piece[]): Generator<Buffer> {
  const parts = partition(rows, removes)
  for (let i = 0; i < parts.length; i++) yield writePart(head, i + 1, parts, rows, removes)
}

function partition(rows: readonly Piece[], removes: readonly Piece[]): Part[] {
  const parts: Part[] = []
  let part: Part = { rows: [0, 0], removes: [0, 0], bytes: 0 }
  const reserve = (size: number): void => {
    if (part.bytes > 0 && part.bytes + size > rowBytesMax) {
      parts.push(part)
      part = { rows: [part.rows[1], part.rows[1]], removes: [part.removes[1], part.removes[1]], bytes: 0 }
    }
    part.bytes += size
  }
  for (let i = 0; i < rows.length; i++) {
    reserve(rows[i]!.size + 1)
    part.rows[1] = i + 1
  }
  for (let i = 0; i < removes.length; i++) {
    reserve(removes[i]!.size + 1)
    part.removes[1] = i + 1
  }
  parts.push(part)
  return parts
}

function writePart(
  head: FrameHead,
  i: number,
  parts: readonly Part[],
  rows: readonly Piece[],
  removes: readonly Piece[],
): Buffer {
  const part = parts[i - 1]!
  const opening =
    `{"type":"arbitrage","ts":${head.publishedAt},"data":{"exchange":"router","kind":"${head.kind}","seq":${head.seq},` +
    `"computedAt":"${iso(head.computedAt)}","publishedAt":"${iso(head.publishedAt)}","intervalMs":${head.intervalMs},` +
    `"heartbeatMs":${head.heartbeatMs},"contracts":${head.contracts},"limit":${head.limit},` +
    `"part":{"i":${i},"n":${parts.length}},"${head.kind === 'snapshot' ? 'rows' : 'upserts'}":[`
  const frame = Buffer.allocUnsafeSlow(opening.length + part.bytes + 32)
  let at = frame.write(opening, 0, 'latin1')
  at = writeList(frame, at, rows, part.rows)
  if (head.kind === 'delta') {
    at += frame.write('],"removes":[', at, 'latin1')
    at = writeList(frame, at, removes, part.removes)
  }
  at += frame.write(']}}', at, 'latin1')
  return frame.subarray(0, at)
}

function writeList(frame: Buffer, start: number, pieces: readonly Piece[], [from, to]: [number, number]): number {
  let at = start
  for (let i = from; i < to; i++) {
    const { bytes, size } = pieces[i]!
    if (i > from) frame[at++] = COMMA
    at += bytes.copy(frame, at, 0, size)
  }
  return at
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString()
