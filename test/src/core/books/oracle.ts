// The slow reference book: a Map per side of decimal strings counted in bigint. Shares no code with the tested book.
import fc from 'fast-check'
import type { BookSide } from '#venues/venue'

/** Sizes are counted in units of 1e-9. */
const unit = 1_000_000_000n

/** A decimal like `12.34`, as a venue sends it. */
export interface DecimalSize {
  value: number
  units: bigint
}

/** `hundredths` 1234 becomes 12.34, as venues send it. */
export const decimal = (hundredths: number): DecimalSize => ({
  value: hundredths / 100,
  units: BigInt(hundredths) * (unit / 100n),
})

export class OracleBook {
  private readonly sides: [Map<number, bigint>, Map<number, bigint>] = [new Map(), new Map()]

  set(side: BookSide, micros: number, size: DecimalSize): void {
    if (size.units > 1n) this.sides[side].set(micros, size.units)
    else this.sides[side].delete(micros)
  }

  /** The new total in units. */
  add(side: BookSide, micros: number, delta: DecimalSize): bigint {
    const total = (this.sides[side].get(micros) ?? 0n) + delta.units
    if (total > 1n) this.sides[side].set(micros, total)
    else this.sides[side].delete(micros)
    return total
  }

  clear(): void {
    this.sides[0].clear()
    this.sides[1].clear()
  }

  levels(side: BookSide): { priceMicros: number; size: number }[] {
    return [...this.sides[side]]
      .sort(([a], [b]) => (side === 0 ? b - a : a - b))
      .map(([priceMicros, units]) => ({ priceMicros, size: Number(units) / 1e9 }))
  }

  best(side: BookSide): number | null {
    return this.levels(side)[0]?.priceMicros ?? null
  }

  size(side: BookSide): number {
    return this.levels(side)[0]?.size ?? 0
  }
}

export const anySide = fc.constantFrom<BookSide>(0, 1)

/** Prices on every grid, rarely on the finest, and deliberately both ends. */
export const anyMicros = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 100 }).map((ticks) => ticks * 10_000) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 1_000 }).map((ticks) => ticks * 1_000) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 10_000 }).map((ticks) => ticks * 100) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1_000_000) },
)

/** Invalid prices of every kind. */
export const badMicros = fc.constantFrom(NaN, -1, -10_000, 0.5, 410_000.5, 1_000_001, 1e300, Infinity, -Infinity)
export const badSize = fc.constantFrom(NaN, -1, -1e-9, Infinity, -Infinity)
