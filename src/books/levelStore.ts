// What a side-by-side store of price levels must do. Two stand behind it: a grid of ticks, and sorted arrays for prices off every grid.
import type { BookSide } from '#venues/venue'

/** Values of `BookSide`; `satisfies` holds them to the venue contract without a run-time import. */
export const BID = 0 satisfies BookSide
export const ASK = 1 satisfies BookSide

/** A size at or below this is no level: what sums of doubles leave behind when everything was cancelled. */
export const emptySize = 1e-9

/** `bestMicros` of an empty side. */
export const noPrice = -1

/**
 * Levels of both sides by price in integer micros. The caller has checked that micros lie in [0, 1,000,000] and sizes are finite and
 * not negative.
 */
export interface LevelStore {
  /** Price step in micros; 1 where any price fits. */
  readonly tickMicros: number
  /** Writes a level's total size, removing it at or below `emptySize`. False, and nothing written: the price is finer than the grid. */
  put(side: BookSide, micros: number, size: number): boolean
  /** 0 when there is no such level. */
  sizeAt(side: BookSide, micros: number): number
  /** How many levels the side has. */
  count(side: BookSide): number
  /** `noPrice` when the side is empty. */
  bestMicros(side: BookSide): number
  /** 0 when the side is empty. */
  bestSize(side: BookSide): number
  /** Copies up to `max` levels, best first, from `offset` on in both targets; returns how many. */
  copy(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array, offset: number): number
  clear(): void
}
