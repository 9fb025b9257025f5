// Sides of a book as venues list them. Half a book is no book: an unreadable level gives null, never a thinner side.
import { ONE } from '#lib/price'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { isLevelPrice } from './readers.ts'

/** A price told twice: left to the book as it comes; a book of which nobody knows which half is true; or two peers' offers. */
export type ToldTwice = 'kept' | 'refused' | 'summed'

/** `read` gives price in micros and size in contracts, null for what cannot be read. A level of nothing is none. */
export function levelsOf<Row>(
  rows: readonly Row[],
  read: (row: Row) => readonly [micros: number | null, size: number | null],
  twice: ToldTwice = 'kept',
): SnapshotLevel[] | null {
  const levels: SnapshotLevel[] = []
  const seen = new Map<number, SnapshotLevel>()
  for (const row of rows) {
    const [micros, size] = read(row)
    if (micros === null || !isLevelPrice(micros) || size === null || !(size >= 0)) return null
    const before = twice === 'kept' ? undefined : seen.get(micros)
    if (before !== undefined && twice === 'refused') return null
    const level: SnapshotLevel = before ?? [micros, 0]
    level[1] += size
    if (before === undefined) levels.push(level)
    seen.set(micros, level)
  }
  return levels.filter(([, size]) => size > 0)
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
