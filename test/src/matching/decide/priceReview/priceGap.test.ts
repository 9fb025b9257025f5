import { describe, expect, it } from 'vitest'
import {
  demotedAfterMs,
  oppositePurchases,
  type PriceGap,
  restartAfterMs,
  stepGap,
} from '#matching/decide/priceReview/priceGap'

const quote = (bid: number | null, ask: number | null) => ({ bid, ask })
const minute = 60_000

describe('the gain of opposite purchases', () => {
  it.each([
    ['same', quote(0.4, 0.42), quote(0.6, 0.64), { gain: 0.18, a: 0.42, b: 0.4 }],
    ['same', quote(0.6, 0.64), quote(0.4, 0.42), { gain: 0.18, a: 0.4, b: 0.42 }],
    ['same', quote(0.4, 0.42), quote(0.4, 0.42), { gain: -0.02, a: 0.42, b: 0.6 }],
    // The spread alone explains it.
    ['same', quote(0.2, 0.8), quote(0.7, 0.72), { gain: -0.1, a: 0.8, b: 0.3 }],
    ['inverse', quote(0.4, 0.42), quote(0.58, 0.6), { gain: -0.02, a: 0.42, b: 0.6 }],
    // Both Yes are cheap, and one of them pays.
    ['inverse', quote(0.4, 0.42), quote(0.4, 0.42), { gain: 0.16, a: 0.42, b: 0.42 }],
    ['inverse', quote(0.7, 0.72), quote(0.6, 0.62), { gain: 0.3, a: 0.3, b: 0.4 }],
  ] as const)('%s: %o and %o', (polarity, a, b, expected) => {
    const bought = oppositePurchases(a, b, polarity)!
    for (const name of ['gain', 'a', 'b'] as const) expect(bought[name], name).toBeCloseTo(expected[name], 9)
    expect(bought.gain).toBeCloseTo(1 - bought.a - bought.b, 9)
  })

  it('is unknown without both sides of both books, or for a crossed book', () => {
    const full = quote(0.4, 0.42)
    for (const other of [quote(null, 0.5), quote(0.5, null), quote(0.6, 0.5)]) {
      expect(oppositePurchases(full, other, 'same')).toBeNull()
      expect(oppositePurchases(other, full, 'inverse')).toBeNull()
    }
  })
})

describe('a difference over time', () => {
  /** Observations five minutes apart. */
  const observe = (excesses: readonly (number | null)[], from = 0): PriceGap | null =>
    excesses.reduce<PriceGap | null>((gap, excess, at) => stepGap(gap, excess, from + at * 5 * minute), null)
  const observations = demotedAfterMs / (5 * minute)

  it('lowers the band after an hour without interruption, not before', () => {
    const hour = new Array<number>(observations + 1).fill(0.1)
    expect(observe(hour.slice(1))).toMatchObject({ since: 0, demotedAt: null })
    expect(observe(hour)).toEqual({ since: 0, seenAt: demotedAfterMs, excess: 0.1, demotedAt: demotedAfterMs })
  })

  it('starts again after prices agreed once, and after a long time without an observation', () => {
    expect(observe([0.1, 0.1, 0])).toBeNull()
    expect(observe([0.1, 0, 0.2])).toMatchObject({ since: 10 * minute, excess: 0.2 })
    const gap = observe([0.1])
    expect(stepGap(gap, 0.1, restartAfterMs)).toMatchObject({ since: 0 })
    expect(stepGap(gap, 0.1, restartAfterMs + 1)).toMatchObject({ since: restartAfterMs + 1 })
    expect(stepGap(gap, null, restartAfterMs + 1)).toBeNull()
  })

  it('is neither continued nor ended by an unknown price', () => {
    expect(observe([0.1, null, null])).toMatchObject({ since: 0, seenAt: 0 })
    expect(observe([null])).toBeNull()
  })

  it('stays recorded when prices agree again after an hour', () => {
    const demoted = observe(new Array<number>(observations + 1).fill(0.1))!
    expect(stepGap(demoted, -0.1, demotedAfterMs + minute)).toBe(demoted)
    expect(stepGap(demoted, null, demotedAfterMs * 99)).toBe(demoted)
    expect(stepGap(demoted, 0.3, demotedAfterMs + minute)).toMatchObject({ excess: 0.3, demotedAt: demotedAfterMs })
  })
})
