// Sides of a book as venues list them. A partial book is unusable: an unreadable level yields null, never a thinner
// side.
import { ONE } from '#core/price'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { isLevelPrice } from './parsers.ts'

/**
 * A repeated price: left to the book as it comes; a reason to refuse the book, since either entry may be wrong; or two peers'
 * offers to be summed.
 */
export type DuplicateLevelPolicy = 'kept' | 'refused' | 'summed'

/**
 * `read` returns price in micros and size in contracts, null for an unreadable level. Levels of size zero are skipped.
 */
export function levelsOf<Row>(
  rows: readonly Row[],
  read: (row: Row) => readonly [micros: number | null, size: number | null],
  twice: DuplicateLevelPolicy = 'kept',
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

/** The other outcome's bids as this one's asks, or its asks as this one's bids: a bid for NO at q is an ask for YES at 1 − q. */
export const complement = (levels: readonly SnapshotLevel[]): SnapshotLevel[] =>
  levels.map(([micros, size]) => [ONE - micros, size])

type BookExtras = Partial<Pick<BookSnapshot, 'eventTs' | 'lastTradeMicros' | 'isNegRisk' | 'tickMicros'>>

/** Null when a side is null. Other fields that the venue does not report are unknown. */
export function snapshotOf(
  bookId: string,
  { bids, asks }: Readonly<Record<'bids' | 'asks', SnapshotLevel[] | null>>,
  recvTs: number,
  extras: BookExtras = {},
): BookSnapshot | null {
  if (bids === null || asks === null) return null
  const nothing = { eventTs: null, lastTradeMicros: null, isNegRisk: null, tickMicros: null }
  return { bookId, bids, asks, recvTs, ...nothing, ...extras }
}
