// Level changes in a message. A partial change is unusable: an unreadable level yields null.
import type { BookSide } from '../../venue.ts'
import { isLevelPrice } from '../data/parsers.ts'
import type { LevelChange } from './bookSynchronizer.ts'

/** `read` returns price in micros and the level's new size, 0 for one that is gone; null for an unreadable level. */
export function changesOf<Row>(
  side: BookSide,
  rows: readonly Row[],
  read: (row: Row) => readonly [micros: number | null, size: number | null],
): LevelChange[] | null {
  const changes: LevelChange[] = []
  for (const row of rows) {
    const [micros, size] = read(row)
    if (micros === null || !isLevelPrice(micros) || size === null || !(size >= 0)) return null
    changes.push([side, micros, size])
  }
  return changes
}
