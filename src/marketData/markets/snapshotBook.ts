// A venue's REST book, and a book from the tape, in the shape readers get. Pure.
import { ONE, toProbability } from '#core/price'
import type { Level, OrderBook } from '#schemas/marketData'
import type { BookSnapshot, SnapshotLevel } from '#venues/venue'
import { provenanceOf } from './bookBytes.ts'
import { toIso } from './fields.ts'

/** `complement`: the reader requested the other side of the snapshot's book. */
export function bookOfSnapshot(
  venue: string,
  snapshot: BookSnapshot,
  complement: boolean,
  isSynthetic: boolean,
): OrderBook {
  const timestamp = snapshot.eventTs ?? snapshot.recvTs
  const at = toIso(timestamp)!
  const honesty = provenanceOf(venue, isSynthetic)
  const last = snapshot.lastTradeMicros
  return {
    bids: complement ? levels(snapshot.asks.map(mirror), 'descending') : levels(snapshot.bids, 'descending'),
    asks: complement ? levels(snapshot.bids.map(mirror), 'ascending') : levels(snapshot.asks, 'ascending'),
    timestamp,
    datetime: at,
    isNegRisk: snapshot.isNegRisk,
    lastTradePrice: last === null ? null : toProbability(complement ? ONE - last : last),
    asOf: at,
    provenance: { source: 'venue-rest' },
    ...honesty,
    sourceMetadata: { synthetic: honesty.synthetic },
  }
}

const mirror = ([price, size]: SnapshotLevel): SnapshotLevel => [ONE - price, size]

function levels(rows: readonly SnapshotLevel[], order: 'ascending' | 'descending'): Level[] {
  const sorted = rows.filter(([, size]) => size > 0).sort((a, b) => (order === 'ascending' ? a[0] - b[0] : b[0] - a[0]))
  return sorted.map(([price, size]) => ({ price: toProbability(price), size }))
}

/** Books from the tape: their own time is their `asOf`, so that a reader sees how old they are. */
export function historicalBooks(venue: string, isSynthetic: boolean): (book: OrderBook) => OrderBook {
  const { synthetic } = provenanceOf(venue, isSynthetic)
  return (book) => ({
    ...book,
    asOf: toIso(book.timestamp)!,
    provenance: { source: 'archive' },
    synthetic,
    sourceMetadata: { synthetic },
  })
}

export const limitBook = (book: OrderBook, levelsMax: number | undefined): OrderBook =>
  levelsMax === undefined ? book : { ...book, bids: book.bids.slice(0, levelsMax), asks: book.asks.slice(0, levelsMax) }
