import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leaseExcess, leaseMax, leaseMin, leaseSize, nextTarget, wantedLease } from '#platform/credits/leaseSize'

const credits = fc.integer({ min: 0, max: 10_000_000 })
const target = fc.integer({ min: leaseMin, max: leaseMax })

it('a lease is at most an eighth of the balance, and at least one credit while there is one', () => {
  expect([0, 1, 8, 9, 800, 8_000, 1e9].map((there) => leaseSize(there, leaseMin))).toEqual([
    0, 1, 1, 2, 100, 1_000, 1_000,
  ])
})

it('a lease used up within a second doubles, one that lasts halves, within the minimum and the maximum', () => {
  const after = (times: number, usedWithinMs: number, from: number) =>
    Array.from({ length: times }).reduce<number>((size) => nextTarget(size, usedWithinMs), from)
  expect(after(1, 999, leaseMin)).toBe(2 * leaseMin)
  expect(after(30, 10, leaseMin)).toBe(leaseMax)
  expect(after(5, 5_000, 4_000)).toBe(4_000)
  expect(after(30, 60_000, leaseMax)).toBe(leaseMin)
})

it('takes no more than is available, and with unsettled credits never more than the maximum, except for the most expensive request', () => {
  fc.assert(
    fc.property(
      credits,
      target,
      credits,
      credits,
      credits,
      credits,
      (available, aim, remaining, unsettled, wanted, most) => {
        const need = { target: aim, remaining, unsettled, wanted, wantedMost: Math.min(most, wanted) }
        const taken = wantedLease(available, need)
        expect(taken).toBeGreaterThanOrEqual(0)
        expect(taken).toBeLessThanOrEqual(available)
        if (taken > 0) expect(remaining + taken).toBeLessThanOrEqual(Math.max(leaseMax - unsettled, need.wantedMost))
      },
    ),
  )
})

it('a waiting request gets what it needs when it is available', () => {
  fc.assert(
    fc.property(
      credits,
      target,
      fc.nat(9),
      credits,
      fc.integer({ min: 10, max: 100 }),
      (available, aim, remaining, unsettled, cost) => {
        const taken = wantedLease(available, { target: aim, remaining, unsettled, wanted: cost, wantedMost: cost })
        expect(remaining + taken).toBeGreaterThanOrEqual(Math.min(cost, remaining + available))
      },
    ),
  )
})

it('returns an excess that others need, and not what was just taken', () => {
  fc.assert(
    fc.property(credits, credits, target, (available, remaining, aim) => {
      const back = leaseExcess(available, remaining, aim)
      expect(back).toBeGreaterThanOrEqual(0)
      expect(back).toBeLessThanOrEqual(remaining)
      expect(leaseExcess(available + back, remaining - back, aim)).toBe(0)
    }),
  )
  expect(leaseExcess(0, 1_000, leaseMin)).toBe(875)
  expect(leaseExcess(7_000, 1_000, leaseMin)).toBe(0)
})
