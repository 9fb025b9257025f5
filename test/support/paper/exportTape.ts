// Writes a tape in the format of hftbacktest: rows of 64 bytes (event flags, exchange and local ns, price, size) as a NumPy file, and the
// probes as JSON. Its documentation describes both: https://hftbacktest.readthedocs.io/en/latest/data.html
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PaperLevel } from '#paper/model/index'
import type { EvaluationTape } from './tape.ts'

const depthEvent = 1n
const tradeEvent = 2n
const buy = 1n << 29n
const sell = 1n << 28n
const seenByBoth = (1n << 31n) | (1n << 30n)
const rowBytes = 64
/** Messages of one ms are this far apart, ns. */
const apartNs = 10n

const columns = [
  ['ev', '<u8'],
  ['exch_ts', '<i8'],
  ['local_ts', '<i8'],
  ['px', '<f8'],
  ['qty', '<f8'],
  ['order_id', '<u8'],
  ['ival', '<i8'],
  ['fval', '<f8'],
] as const

interface Row {
  flags: bigint
  at: number
  price: number
  size: number
}

export function exportTape(tape: EvaluationTape, folder: string, name: string, latencyMs: number, tick: number): void {
  writeFileSync(join(folder, `${name}.npy`), npyOf(rowsOf(tape)))
  const ns = (at: number) => at * 1_000_000
  const probes = tape.probes.map(({ order, placedAt, endsAt }) => ({
    id: order.id,
    side: order.side,
    price: order.price / 1_000_000,
    size: order.size / 1_000_000,
    placedNs: ns(placedAt),
    endsNs: ns(endsAt),
  }))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ latencyNs: ns(latencyMs), tick, probes }))
}

function* rowsOf({ events }: EvaluationTape): Generator<Row> {
  let bids: readonly PaperLevel[] = []
  let asks: readonly PaperLevel[] = []
  for (const event of events) {
    if (event.kind === 'trade') {
      const { at, price, size, takerSide } = event.trade
      yield { flags: tradeEvent | (takerSide === 'buy' ? buy : sell), at, price, size }
      continue
    }
    const { book } = event
    for (const [price, size] of changesBetween(bids, book.bids))
      yield { flags: depthEvent | buy, at: book.at, price, size }
    for (const [price, size] of changesBetween(asks, book.asks))
      yield { flags: depthEvent | sell, at: book.at, price, size }
    bids = book.bids
    asks = book.asks
  }
}

/** Removed levels come first, so that the book is not crossed in between. */
function changesBetween(before: readonly PaperLevel[], after: readonly PaperLevel[]): PaperLevel[] {
  if (before === after) return []
  const old = new Map(before)
  const now = new Map(after)
  const gone = before.filter(([price]) => !now.has(price)).map(([price]) => [price, 0] as const)
  return [...gone, ...after.filter(([price, size]) => old.get(price) !== size)]
}

function npyOf(rows: Iterable<Row>): Uint8Array {
  const parts: Buffer[] = []
  let lastMs = 0
  let withinMs = 0n
  for (const { flags, at, price, size } of rows) {
    withinMs = at === lastMs ? withinMs + apartNs : 0n
    lastMs = at
    const row = Buffer.alloc(rowBytes)
    const ns = BigInt(at) * 1_000_000n + withinMs
    row.writeBigUInt64LE(flags | seenByBoth, 0)
    row.writeBigInt64LE(ns, 8)
    row.writeBigInt64LE(ns, 16)
    row.writeDoubleLE(price / 1_000_000, 24)
    row.writeDoubleLE(size / 1_000_000, 32)
    parts.push(row)
  }
  const types = columns.map(([name, type]) => `('${name}', '${type}')`).join(', ')
  const text = `{'descr': [${types}], 'fortran_order': False, 'shape': (${parts.length},), }`
  // The rows start at a multiple of 64 bytes.
  const header = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`
  const prefix = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8])
  return Buffer.concat([prefix, Buffer.from(header), ...parts])
}
