// Sides of a book as venues list them. Half a book is no book: a level that cannot be read gives null, never a thinner side.
import { ONE } from '#lib/price'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { isLevelPrice } from './readers.ts'

/**
 * `read` gives price in micros and size in contracts, null for what cannot be read. A level of nothing is none. A price told twice: two peers
 * whose offers are summed, or a book of which nobody knows which half is true.
 */
export function levelsOf<Row>(
  rows: readonly Row[],
  read: (row: Row) => readonly [micros: number | null, size: number | null],
  told: 'once' | 'summed' = 'once',
): SnapshotLevel[] | null {
  const sizes = new Map<number, number>()
  for (const row of rows) {
    const [micros, size] = read(row)
    if (micros === null || !isLevelPrice(micros) || size === null || !(size >= 0)) return null
    const before = sizes.get(micros)
    if (before !== undefined && told === 'once') return null
    sizes.set(micros, (before ?? 0) + size)
  }
  return [...sizes].filter(([, size]) => size > 0)
}

/** The other outcome's bids as this one's asks, or its asks as this one's bids: what is bid for NO at q is asked for YES at 1 − q. */
export const mirrored = (levels: readonly SnapshotLevel[]): SnapshotLevel[] =>
  levels.map(([micros, size]) => [ONE - micros, size])

type Said = Partial<Pick<BookSnapshot, 'eventTs' | 'lastTradeMicros' | 'isNegRisk' | 'tickMicros'>>

/** Null when a side is. What the venue does not say beside the levels is unknown. */
export function snapshotOf(
  bookId: string,
  { bids, asks }: Readonly<Record<'bids' | 'asks', SnapshotLevel[] | null>>,
  recvTs: number,
  said: Said = {},
): BookSnapshot | null {
  if (bids === null || asks === null) return null
  const nothing = { eventTs: null, lastTradeMicros: null, isNegRisk: null, tickMicros: null }
  return { bookId, bids, asks, recvTs, ...nothing, ...said }
}
