import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUnits, multiplyDecimals } from '#core/decimal'
import { microsOf, ONE, parseMicros, toProbability, usdOf } from '#core/price'

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

  it('a price times shares equals the exact decimal product', () => {
    expect([usdOf(100_000, 3), usdOf(410_000, 3.25), usdOf(70_000, 1.1)]).toEqual([0.3, 1.3325, 0.077])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ONE }), fc.bigInt({ min: 0n, max: 10n ** 13n }), (micros, parts) => {
        const shares = fromUnits(parts, 6)
        expect(usdOf(micros, Number(shares))).toBe(Number(multiplyDecimals(fromUnits(BigInt(micros), 6), shares)))
      }),
    )
  })

  it('every price on the grid converts to a probability and back unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ONE }), (micros) => {
        expect(microsOf(toProbability(micros))).toBe(micros)
        expect(parseMicros(toProbability(micros).toFixed(6))).toBe(micros)
      }),
    )
  })
})
