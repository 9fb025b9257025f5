// A few of a question's numbers, repeated on every long posting it is on: nearly all of a posting is ruled out in one pass over it, without looking
// up any of its markets.
import { disjointPairs } from '../read/frames/names.ts'

/** Numbers per sketch. */
export const sketchSize = 4

/** What the sketches of two kinds compare: nothing, the names of their subjects, or the day and sides of their games. */
export const buildSketch = { nothing: 0, names: 1, games: 2 } as const
export type Sketched = (typeof buildSketch)[keyof typeof buildSketch]

/** What the index stores of a question: the number of its kind (`Signs`), and its sketch. */
export interface FingerprintField {
  kind: number
  sketch: ArrayLike<number>
}

export const noFingerprint: FingerprintField = { kind: 0, sketch: new Int32Array(sketchSize) }

/** The sketch at `at` of one list and that at `other` of another; true only if `Signs.slots` is for their markets. */
export function disjointSketches(by: Sketched, own: Int32Array, at: number, list: Int32Array, other: number): boolean {
  const [a, b, c, d] = [own[at]!, own[at + 1]!, own[at + 2]!, own[at + 3]!]
  const [w, x, y, z] = [list[other]!, list[other + 1]!, list[other + 2]!, list[other + 3]!]
  if (by === buildSketch.nothing) return false
  if (by === buildSketch.games) {
    // Days with the same grain in their low bits; or no side with a word or a code of the other's.
    if (a !== w && a !== 0 && w !== 0 && (a & 3) === (w & 3)) return true
    return ((b & x) === 0 || (c & y) === 0) && (d & z) === 0
  }
  // Letters with the number of words in their low bits, and a name of two plain words.
  if (a === w || b === 0 || x === 0 || (a & 7) !== (w & 7)) return false
  return disjointPairs(b, c, d, x, y, z)
}
