import { describe, expect, it } from 'vitest'
import { parseDecimalNumber } from '#core/parseDecimal'

describe('a number from a caller', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['5', 5],
    ['-5', -5],
    ['0.5', 0.5],
    ['100.0', 100],
    ['999999999999999', 999_999_999_999_999],
  ])('%s', (text, value) => expect(parseDecimalNumber(text)).toBe(value))

  it.each([
    '',
    ' 5',
    '5 ',
    '5\n',
    '+5',
    '05',
    '0x10',
    '0b1',
    '1e3',
    '1E3',
    '1_0',
    '.5',
    '5.',
    '1,2',
    'NaN',
    'Infinity',
    '٥',
    '５',
    '-',
    '9'.repeat(16),
    '9'.repeat(400),
  ])('%j is not one', (text) => expect(parseDecimalNumber(text)).toBeNull())
})
