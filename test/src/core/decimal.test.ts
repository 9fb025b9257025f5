import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  fromUnits,
  isOnStep,
  multiplyDecimals,
  readDecimal,
  roundDecimal,
  subtractDecimals,
  toStep,
  toUnits,
} from '#core/decimal'

const scale = 6
const units = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const decimal = units.map((value) => fromUnits(value, scale))

describe('reading', () => {
  it.each([
    ['1.50', '1.5'],
    ['007', '7'],
    ['0.000', '0'],
    ['-0', '0'],
    ['-0.10', '-0.1'],
    [0.1, '0.1'],
    [3, '3'],
    ['100', '100'],
  ])('%j is %s', (value, text) => expect(readDecimal(value)).toBe(text))

  it.each([
    '',
    ' 1',
    '1e5',
    '.5',
    '5.',
    '+1',
    '0x1',
    '1,5',
    'NaN',
    '1_000',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e-7,
    1e21,
  ])('%j is not a plain decimal', (value) => expect(readDecimal(value)).toBeNull())

  it('leaves canonical text unchanged', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(readDecimal(text)).toBe(text)
      }),
    )
  })
})

describe('a quotient', () => {
  it.each([
    ['1', '3', 9, 'halfEven', '0.333333333'],
    ['2', '3', 9, 'halfEven', '0.666666667'],
    ['1', '8', 2, 'halfEven', '0.12'],
    ['3', '8', 2, 'halfEven', '0.38'],
    ['-1', '3', 2, 'down', '-0.34'],
    ['-1', '3', 2, 'up', '-0.33'],
    ['1', '-4', 4, 'halfEven', '-0.25'],
    ['0.45', '0.9', 9, 'halfEven', '0.5'],
    ['0', '7', 3, 'up', '0'],
  ] as const)('of %s and %s to %i places, rounded %s, is %s', (a, b, places, rounding, quotient) =>
    expect(divideDecimals(a, b, places, rounding)).toBe(quotient),
  )

  it('is exact when it has no further digits', () => {
    fc.assert(
      fc.property(
        decimal,
        decimal.filter((text) => text !== '0'),
        (a, b) => {
          expect(divideDecimals(multiplyDecimals(a, b), b, scale, 'down')).toBe(a)
        },
      ),
    )
  })

  it('by zero is refused', () => expect(() => divideDecimals('1', '0', 3, 'down')).toThrow(RangeError))
})

describe('arithmetic is exact', () => {
  it('where doubles are not', () => {
    expect(subtractDecimals('0.45', '0.4')).toBe('0.05')
    expect(addDecimals('0.1', '0.2')).toBe('0.3')
    expect(multiplyDecimals('1.1', '1.1')).toBe('1.21')
  })

  it('equals that of whole units', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [x, y] = [fromUnits(a, scale), fromUnits(b, scale)]
        expect(toUnits(addDecimals(x, y), scale)).toBe(a + b)
        expect(toUnits(subtractDecimals(x, y), scale)).toBe(a - b)
        expect(toUnits(multiplyDecimals(x, y), 2 * scale)).toBe(a * b)
        expect(compareDecimals(x, y)).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  it('refuses to lose digits', () => {
    expect(toUnits('1.5', 2)).toBe(150n)
    expect(() => toUnits('1.555', 2)).toThrow(RangeError)
    expect(() => toUnits('many', 2)).toThrow(RangeError)
  })
})

describe('steps', () => {
  it('lie on the step, on the right side, and less than a step away', () => {
    const step = fc.constantFrom('0.01', '0.001', '0.0025', '1', '7')
    fc.assert(
      fc.property(decimal, step, (value, by) => {
        const [down, up] = [toStep(value, by, 'down'), toStep(value, by, 'up')]
        for (const rounded of [down, up]) expect(isOnStep(rounded, by)).toBe(true)
        expect(compareDecimals(down, value)).toBeLessThanOrEqual(0)
        expect(compareDecimals(up, value)).toBeGreaterThanOrEqual(0)
        expect(compareDecimals(subtractDecimals(up, down), by)).toBeLessThanOrEqual(0)
        expect(compareDecimals(up, down) === 0).toBe(isOnStep(value, by))
      }),
    )
  })

  it('round half to the even neighbour', () => {
    expect(['0.125', '0.135', '0.1251', '-0.125'].map((text) => roundDecimal(text, 2, 'halfEven'))).toEqual([
      '0.12',
      '0.14',
      '0.13',
      '-0.12',
    ])
  })

  it('a step of zero is refused', () => {
    expect(() => toStep('1', '0', 'down')).toThrow(RangeError)
  })
})
