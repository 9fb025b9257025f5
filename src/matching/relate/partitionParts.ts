// Amounts of one ladder as intervals of one line, so that ends are compared exactly: on the ladder's own steps if it has them, otherwise end by end.
import type { Question } from '../read/question.ts'
import type { Interval } from '../read/thresholdParser.ts'

/** A cut of the line: just before a value, or with `side` 1 just after it. */
export interface Cut {
  value: number
  side: 0 | 1
}

/** The values that make one market Yes: from one cut to another, null for no end. */
export interface PartitionPart {
  key: string
  from: Cut | null
  to: Cut | null
}

export const compareCuts = (a: Cut, b: Cut): number => a.value - b.value || a.side - b.side

const decimals = (value: number): number => (String(value).split('.')[1] ?? '').length
const ends = ({ low, high }: Interval): number[] => [low, high].filter((end) => end !== null)

/**
 * Distance of two neighbouring values, null if nothing shows that there is one. A ladder cut in cents has cents as steps; whole numbers
 * are steps only if the figure itself is counted in them.
 */
export function stepOf(questions: readonly Question[], intervals: readonly Interval[]): number | null {
  const grid = questions[0]?.proposition?.frame.grid
  if (grid !== undefined && typeof grid.step === 'number') return grid.step
  const most = Math.max(0, ...intervals.flatMap(ends).map(decimals))
  if (most > 8) return null
  if (most > 0) return 10 ** -most
  const counted = intervals.every(({ unit }) => unit === 'count' || unit === 'degree')
  return grid === undefined && counted && questions[0]?.domain !== 'price' ? 1 : null
}

/** Null if an interval contains no value or every one. */
export function pieceOf(key: string, interval: Interval, step: number | null): PartitionPart | null {
  const { low, lowIncluded, high, highIncluded } = interval
  const from = low === null ? null : cutAt(low, lowIncluded ? 0 : 1, step)
  const to = high === null ? null : cutAt(high, highIncluded ? 1 : 0, step)
  if (from === null && to === null) return null
  return from !== null && to !== null && compareCuts(from, to) >= 0 ? null : { key, from, to }
}

/** Before the first step that counts. */
function cutAt(value: number, side: 0 | 1, step: number | null): Cut {
  if (step === null) return { value, side }
  const at = Math.round((value / step) * 1e6) / 1e6
  return { value: side === 0 ? Math.ceil(at) : Math.floor(at) + 1, side: 0 }
}

/**
 * If the venue states that at most one is true, the end two ranges share belongs to the upper one: both inclusive would pay twice.
 */
export function withExclusiveLowerBounds(pieces: readonly PartitionPart[]): PartitionPart[] {
  const begins = new Set(pieces.flatMap(({ from }) => (from?.side === 0 ? [from.value] : [])))
  return pieces.map((piece) =>
    piece.from !== null && piece.to?.side === 1 && begins.has(piece.to.value) && piece.from.value < piece.to.value
      ? { ...piece, to: { value: piece.to.value, side: 0 } }
      : piece,
  )
}
