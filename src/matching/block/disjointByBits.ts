import { buildSketch, type Sketched } from './minHash.ts'

/** Which markets are known to differ before any comparison, by their slots in the index. */
export interface Disjoint {
  slots(slot: number, other: number): boolean
  /** Every market of one kind from every market of the other. */
  kinds(kind: number, other: number): boolean
  /** What the sketches of two markets of these kinds compare. */
  sketched(kind: number, other: number): Sketched
}

export const emptyBlocker: Disjoint = { slots: () => false, kinds: () => false, sketched: () => buildSketch.nothing }
