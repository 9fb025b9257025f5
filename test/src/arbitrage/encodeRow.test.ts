import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSurface } from '#arbitrage/compileSurface'
import { RowEncoder } from '#arbitrage/encodeRow'
import { decimalBytesMax, isoBytes, writeDecimal, writeIso } from '#arbitrage/numberEncoder'
import { ratioMillionths, rowOf } from '#arbitrage/row'
import { Surface } from '#arbitrage/surface'
import { casesOf } from '#test/support/shortRuns'
import { Random, SampleBooks, sampleBook, sampleCluster } from './worlds.ts'

const now = 1_790_000_000_000

describe('encoded rows', () => {
  it('equal the JSON.stringify output of the row byte for byte, also after books changed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed)
        const books = new SampleBooks(100)
        const inputs = Array.from({ length: 8 }, (_, i) => sampleCluster(random, `c:${i}é`, books, now))
        const contracts = random.pick([100, 0.01, 33.33, 1000, 12_345.67])
        const compiled = compileSurface(inputs, { contracts, limit: 1e9, slotOf: books.slotOf })
        const surface = Surface.alone(compiled.plan, books.arena)
        const encoder = new RowEncoder(compiled, surface.table)
        let compared = 0
        for (let round = 0; round < 2; round++) {
          surface.pass()
          for (let row = 0; row < compiled.plan.rows; row++) {
            const length = encoder.encode(row)
            const encoded = encoder.scratch.toString('utf8', 0, length)
            const reference = Buffer.from(JSON.stringify(rowOf(compiled, surface.table, row))).toString()
            // A call of expect costs more than the row, and there are hundreds of thousands of rows.
            if (encoded !== reference) expect(encoded).toBe(reference)
            compared++
          }
          for (const [key, book] of books.books) {
            if (book.state !== 'live' || random.chance(0.5)) continue
            books.set({ ...sampleBook(random, key, now + 1_000_000), state: 'live' })
          }
        }
        expect(compared).toBe(2 * compiled.plan.rows)
      }),
      { numRuns: casesOf(150) },
    )
  })

  it('encode a leg once per change of its side, however many rows share it', () => {
    const random = new Random(11)
    const books = new SampleBooks(100)
    const compiled = compileSurface([sampleCluster(random, 'c', books, now, 5)], {
      contracts: 10,
      limit: 1e9,
      slotOf: books.slotOf,
    })
    const surface = Surface.alone(compiled.plan, books.arena)
    surface.pass()
    const encoder = new RowEncoder(compiled, surface.table)
    for (let again = 0; again < 3; again++) for (let row = 0; row < compiled.plan.rows; row++) encoder.encode(row)
    const sides = new Set([...compiled.plan.rowYes, ...compiled.plan.rowNo])
    expect(compiled.plan.rows).toBeGreaterThan(sides.size)
    expect(encoder.legsEncoded).toBe(sides.size)
  })
})

describe('numbers', () => {
  const bytes = Buffer.alloc(64)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

  it('in millionths print as JSON.stringify prints the decimal', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: -2_000_000, max: 2_000_000 }),
          fc.integer({ min: -(10 ** 14), max: 10 ** 14 }),
          fc.integer({ min: -99, max: 99 }).map((n) => n * 10_000),
        ),
        (value) => {
          const end = writeDecimal(view, 0, value)
          expect(bytes.toString('latin1', 0, end)).toBe(JSON.stringify(value / 1e6))
          expect(end).toBeLessThanOrEqual(decimalBytesMax)
        },
      ),
      { numRuns: casesOf(20_000) },
    )
  })

  it('of time print as ISO', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (at) => {
        expect(bytes.toString('latin1', 0, writeIso(view, 0, at))).toBe(new Date(at).toISOString())
        expect(isoBytes).toBe(24)
      }),
      { numRuns: casesOf(5_000) },
    )
  })

  it('of a return are rounded exactly, halves away from zero', () => {
    expect(ratioMillionths(1, 2_000_000)).toBe(1)
    expect(ratioMillionths(-1, 2_000_000)).toBe(-1)
    expect(ratioMillionths(1, 2_000_001)).toBe(0)
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), fc.integer({ min: 1, max: 10 ** 11 }), (a, b) => {
        const top = 2_000_000n * BigInt(Math.abs(a)) + BigInt(b)
        const size = Number(top / (2n * BigInt(b)))
        expect(Math.abs(ratioMillionths(a, b))).toBe(size)
      }),
    )
  })
})
