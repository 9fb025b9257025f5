import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSurface } from '#arbitrage/compileSurface'
import { nearMoneyLegs } from '#arbitrage/priorityBooks'
import { rowOf } from '#arbitrage/row'
import { Surface } from '#arbitrage/surface'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { Random, SampleBooks, sampleCluster } from './worlds.ts'

const now = 1_790_000_000_000

/** Rows that lack nothing but fresh books. */
const wouldBeExecutable = ({ legs, resolutionEquivalence, reasons }: ArbitrageRow): boolean =>
  resolutionEquivalence === 'verified' &&
  [...legs.buyYes.reasons, ...legs.buyNo.reasons].every((reason) => reason === 'stale_book') &&
  !reasons.includes('settlement_fee_unknown')

describe('nearLegs', () => {
  it('returns the books of rows that lose at most two percent and lack only fresh books, the best rows first', () => {
    let named = 0
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed)
        const books = new SampleBooks(200)
        const inputs = Array.from({ length: 20 }, (_, i) => sampleCluster(random, `c${i}`, books, now))
        const compiled = compileSurface(inputs, { contracts: 10, limit: 1e9, slotOf: books.slotOf })
        const surface = Surface.alone(compiled.plan, books.arena)
        surface.pass()
        const work = nearMoneyLegs(compiled, surface.table)
        let step = work.next()
        while (step.done !== true) step = work.next()
        const rows = compiled.rowFacts.map((_, row) => ({ row, shown: rowOf(compiled, surface.table, row) }))
        const near = rows.filter(({ shown }) => wouldBeExecutable(shown) && shown.netEdge! >= -0.2)
        near.sort((a, b) => b.shown.netEdge! - a.shown.netEdge! || a.row - b.row)
        const expected = new Map<string, Set<string>>()
        for (const { row } of near) {
          for (const side of [compiled.plan.rowYes[row]!, compiled.plan.rowNo[row]!]) {
            const { member, source } = compiled.sideFacts[side]!
            expected.set(member.venue, (expected.get(member.venue) ?? new Set()).add(source!.bookId))
          }
        }
        expect(step.value).toEqual(new Map([...expected].map(([venue, ids]) => [venue, [...ids]])))
        named += near.length
      }),
      { numRuns: 50 },
    )
    expect(named).toBeGreaterThan(0)
  })
})
