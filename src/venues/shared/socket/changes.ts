// Levels as a message changes them. Half a change is none: an unreadable level gives null.
import type { BookSide } from '../../venue.ts'
import { isLevelPrice } from '../data/readers.ts'
import type { LevelChange } from './fedBooks.ts'

/** `read` gives price in micros and what the level holds now, 0 for one that is gone; null for what cannot be read. */
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
