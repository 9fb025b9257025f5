import { describe, expect, it } from 'vitest'
import { bestEqualLegs } from '#router/plan/equalLegs'
import { type Candidate, planRoute } from '#router/plan/route'
import type { Wanted } from '#router/plan/solve'
import { curvesOf, offer } from '#test/support/router'

const candidate = (id: string, levels: [number, number][], more = {}): Candidate => ({
  id,
  parts: [offer(levels, more)],
  ageMs: 100,
})
const size = (units: number) => ({ by: 'size', units }) as const

describe('a route', () => {
  it('has the split, what each venue alone would cost, and a reason for every venue left out', () => {
    const plan = planRoute(
      [
        candidate('a', [[40, 500]]),
        candidate('b', [[42, 800]]),
        candidate('c', [[60, 800]]),
        { ...candidate('old', [[10, 800]]), ageMs: 9_000 },
        candidate('dear', [[90, 800]], { worstMicros: 800_000 }),
      ],
      { isBuy: true, wanted: size(900), ageMaxMs: 5_000 },
    )
    expect(plan.shares.map(({ id, units }) => [id, units])).toEqual([
      ['a', 500],
      ['b', 400],
    ])
    expect(plan).toMatchObject({ units: 900, isFilled: true, isProven: true, cost: 2_000_000 + 1_680_000 })
    expect(plan.singles).toEqual([
      { id: 'a', units: 500, cost: 2_000_000 },
      { id: 'b', units: 800, cost: 3_360_000 },
      { id: 'c', units: 800, cost: 4_800_000 },
    ])
    expect(plan.leftOut).toEqual([
      { id: 'old', reason: 'book_too_old' },
      { id: 'dear', reason: 'worst_price' },
      { id: 'c', reason: 'not_in_the_best_split' },
    ])
  })

  it('names a venue that takes no order as small as that', () => {
    const small = candidate('small', [[40, 500]])
    const large = candidate('large', [[39, 900]], { minimumUnits: 200 })
    const leftOut = (wanted: Wanted) =>
      planRoute([small, large], { isBuy: true, wanted, ageMaxMs: null }).leftOut.filter(({ id }) => id === 'large')
    const tooSmall = [{ id: 'large', reason: 'below_minimum_order' }]
    expect(leftOut(size(199))).toEqual(tooSmall)
    expect(leftOut({ by: 'amount', micros: 500_000 })).toEqual(tooSmall)
    expect(leftOut(size(200))).toEqual([])
  })

  it('reports what could not be filled', () => {
    const plan = planRoute([candidate('a', [[40, 500]])], { isBuy: true, wanted: size(501), ageMaxMs: null })
    expect(plan).toMatchObject({ units: 500, isFilled: false })
  })

  it('of an amount spends no more than it, and says whether offers or money ran out', () => {
    const plan = (micros: number) =>
      planRoute([candidate('a', [[40, 500]])], { isBuy: true, wanted: { by: 'amount', micros }, ageMaxMs: null })
    expect(plan(1_000_000)).toMatchObject({ units: 250, cost: 1_000_000, isFilled: true })
    expect(plan(9_000_000)).toMatchObject({ units: 500, cost: 2_000_000, isFilled: false })
  })

  it('of a sale sells as little as brings the amount', () => {
    const bids = candidate('a', [[40, 500]], { isBuy: false })
    const plan = planRoute([bids], { isBuy: false, wanted: { by: 'amount', micros: 1_000_001 }, ageMaxMs: null })
    expect(plan).toMatchObject({ units: 251, isFilled: true, cost: -1_004_000 })
  })

  it('without candidates is empty', () => {
    expect(planRoute([], { isBuy: true, wanted: size(5), ageMaxMs: null })).toMatchObject({ units: 0, isFilled: false })
  })
})

describe('legs of one size', () => {
  const legs = () =>
    curvesOf([
      offer([
        [40, 300],
        [48, 300],
      ]),
      offer([
        [50, 400],
        [55, 900],
      ]),
    ])

  it('have the size with the largest edge', () => {
    // 10 cents for three contracts, 2 for one more; from there on it costs more than it pays.
    expect(bestEqualLegs(legs(), { winners: 1, unitsMax: 1_000, isExact: false })).toMatchObject({
      units: 400,
      edge: 320_000,
    })
  })

  it('have exactly the requested size, or none', () => {
    expect(bestEqualLegs(legs(), { winners: 1, unitsMax: 100, isExact: true })).toMatchObject({
      units: 100,
      edge: 100_000,
    })
    expect(bestEqualLegs(legs(), { winners: 1, unitsMax: 601, isExact: true })).toBeNull()
  })

  it('count the more expensive settlement of both', () => {
    const settled = curvesOf([
      offer([[40, 100]], { settlementFee: { kind: 'payout_rate', rate: 0.02 } }),
      offer([[50, 100]], { settlementFee: { kind: 'profit_rate', rate: 0.1 } }),
    ])
    // 2 cents, or a tenth of 50.
    expect(bestEqualLegs(settled, { winners: 1, unitsMax: 100, isExact: true })).toMatchObject({ edge: 50_000 })
  })
})
