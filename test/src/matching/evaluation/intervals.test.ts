import { describe, expect, test } from 'vitest'
import { bootstrapGroups, bootstrapMean, wilson } from '#test/support/matching/intervals'

describe('Wilson intervals', () => {
  test('agree with published values', () => {
    expect(wilson(5, 10)).toEqual({ part: 5, whole: 10, share: 0.5, low: 0.2366, high: 0.7634 })
    expect(wilson(0, 68)).toMatchObject({ share: 0, low: 0, high: 0.0535 })
    expect(wilson(68, 68)).toMatchObject({ share: 1, low: 0.9465, high: 1 })
  })

  test('exclude nothing without cases', () => {
    expect(wilson(0, 0)).toEqual({ part: 0, whole: 0, share: null, low: 0, high: 1 })
  })

  test('reject more hits than cases', () => {
    expect(() => wilson(3, 2)).toThrow('3 of 2')
  })
})

describe('bootstrap intervals', () => {
  test('contain the mean and are the same every time', () => {
    const values = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? 0 : 1))
    const found = bootstrapMean(values)
    expect(found.share).toBe(0.75)
    expect(found.low).toBeLessThan(0.75)
    expect(found.high).toBeGreaterThan(0.75)
    expect(bootstrapMean(values)).toEqual(found)
  })

  test('are wider for few large groups than for as many independent cases', () => {
    const groups = [
      { part: 20, whole: 20 },
      { part: 0, whole: 20 },
    ]
    const byGroup = bootstrapGroups(groups)
    const byCase = bootstrapMean(groups.flatMap(({ part, whole }) => Array.from({ length: whole }, () => part / whole)))
    expect(byGroup.share).toBe(byCase.share)
    expect(byGroup.high - byGroup.low).toBeGreaterThan(byCase.high - byCase.low)
  })

  test('are zero without values', () => {
    expect(bootstrapMean([])).toEqual({ share: 0, low: 0, high: 0 })
    expect(bootstrapGroups([])).toEqual({ share: 0, low: 0, high: 0 })
  })
})
