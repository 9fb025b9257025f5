// Rows sent between processes: split into messages the bus accepts, and reassembled.
import type { SurfaceRowHead } from '#schemas/topics'
import type { FilteredRow } from '../filter.ts'
import type { PublishedRow } from '../publishedRows.ts'

/** Bytes of rows in one message; a larger row goes alone. Kafka accepts a megabyte. */
export const messageRowBytes = 256 * 1024
/** Keys of removed rows in one message. */
const removesPerMessage = 2_000

export interface RowBatch {
  rows: SurfaceRowHead[]
  removes: string[]
  body: Buffer
}

type Present = Pick<PublishedRow, keyof SurfaceRowHead> & { bytes: Buffer }

/** At least one batch, an empty one if there is nothing to send. The bytes are copied when a batch is made. */
export function* rowBatches(rows: Iterable<Present>, removes: readonly string[]): Generator<RowBatch> {
  let heads: SurfaceRowHead[] = []
  let pieces: Buffer[] = []
  let bytes = 0
  let made = 0
  const cut = (gone: string[]): RowBatch => {
    const batch = { rows: heads, removes: gone, body: Buffer.concat(pieces, bytes) }
    heads = []
    pieces = []
    bytes = 0
    made++
    return batch
  }
  for (const row of rows) {
    if (bytes > 0 && bytes + row.size > messageRowBytes) yield cut([])
    const { key, size, executable, venueA, venueB, matchBand } = row
    const [netMicros, spreadMicros] = [orNull(row.netMicros), orNull(row.spreadMicros)]
    heads.push({ key, size, executable, venueA, venueB, netMicros, spreadMicros, matchBand })
    pieces.push(row.bytes.subarray(0, size))
    bytes += size
  }
  for (let from = 0; from < removes.length; from += removesPerMessage)
    yield cut(removes.slice(from, from + removesPerMessage))
  if (made === 0 || heads.length > 0) yield cut([])
}

const orNull = (micros: number): number | null => (Number.isNaN(micros) ? null : micros)

export interface ReadRow {
  key: string
  facts: FilteredRow
  /** Bytes `from` to `from + size` of `body`. */
  body: Buffer
  from: number
  size: number
}

export function* readRows({ rows, body }: Pick<RowBatch, 'rows' | 'body'>): Generator<ReadRow> {
  let from = 0
  for (const { key, size, netMicros, spreadMicros, ...rest } of rows) {
    const facts = { ...rest, netMicros: netMicros ?? Number.NaN, spreadMicros: spreadMicros ?? Number.NaN }
    yield { key, facts, body, from, size }
    from += size
  }
}
