// Interface of a two-sided store of price levels. Two implementations: a grid of ticks, and sorted arrays for prices off every grid.
import type { BookSide } from '#venues/venue'

/** Values of `BookSide`; `satisfies` checks them against the venue contract without a run-time import. */
export const BID = 0 satisfies BookSide
export const ASK = 1 satisfies BookSide

/** A size at or below this is no level: it is the rounding error left after everything was cancelled. */
export const emptySize = 1e-9

/** `bestMicros` of an empty side. */
export const noPrice = -1

/**
 * Levels of both sides by price in integer micros. The caller has checked that micros lie in [0, 1,000,000] and that sizes are
 * finite and not negative.
 */
export interface LevelStore {
  /** Price step in micros; 1 when any price fits. */
  readonly tickMicros: number
  /**
   * Sets a level's total size, removing it at or below `emptySize`. Returns false and writes nothing when the price is finer than the
   * grid.
   */
  put(side: BookSide, micros: number, size: number): boolean
  /** 0 when there is no such level. */
  sizeAt(side: BookSide, micros: number): number
  /** Number of levels on the side. */
  count(side: BookSide): number
  /** `noPrice` when the side is empty. */
  bestMicros(side: BookSide): number
  /** 0 when the side is empty. */
  bestSize(side: BookSide): number
  /** Copies up to `max` levels, best first, into both targets starting at `offset`; returns how many. */
  copy(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array, offset: number): number
  clear(): void
}
