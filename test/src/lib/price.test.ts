import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { microsOf, ONE, parseMicros, toProbability } from '#lib/price'

describe('prices', () => {
  it.each([
    ['0.4150', 415_000],
    ['.48', 480_000],
    ['1', ONE],
    ['1.000', ONE],
    ['0', 0],
    ['0.', 0],
    ['0.000001', 1],
    ['0.12345600', 123_456],
  ])('reads %s exactly', (text, micros) => {
    expect(parseMicros(text)).toBe(micros)
  })

  it.each(['', '.', '1.1', '2', '-0.1', '0.1234567', '1e-3', ' 0.1', '0.1x', 'NaN', '0,5'])('refuses "%s"', (text) => {
    expect(parseMicros(text)).toBeNull()
  })

  it('survive the way out and back on the whole grid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ONE }), (micros) => {
        expect(microsOf(toProbability(micros))).toBe(micros)
        expect(parseMicros(toProbability(micros).toFixed(6))).toBe(micros)
      }),
    )
  })
})
