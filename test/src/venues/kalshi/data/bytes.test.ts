import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMicros } from '#core/price'
import { ascii, Scanner, TextTable } from '#venues/kalshi/data/bytes'

const over = (text: string): Scanner => {
  const scanner = new Scanner()
  scanner.start(Buffer.from(text))
  return scanner
}

const Decimal = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.option(fc.stringMatching(/^[0-9]{0,8}$/), { nil: undefined }))
  .map(([whole, fraction]) => (fraction === undefined ? `${whole}` : `${whole}.${fraction}`))

describe('micros', () => {
  test('every accepted text equals parseMicros of the same text, and the cursor is placed after it', () => {
    fc.assert(
      fc.property(Decimal, (text) => {
        const scanner = over(`${text}"`)
        const micros = scanner.micros()
        if (micros < 0) return scanner.pos === 0
        return micros === parseMicros(text) && scanner.pos === text.length
      }),
      { numRuns: 5_000 },
    )
  })

  test('accepts numbers as venues format them', () => {
    for (const [text, micros] of [
      ['0.48', 480_000],
      ['0.4150', 415_000],
      ['0.999000', 999_000],
      ['1.0000', 1_000_000],
      ['0', 0],
      ['1', 1_000_000],
    ] as const) {
      expect(over(text).micros()).toBe(micros)
    }
  })

  test.each(['', '.48', '-0.1', '2', '1.01', '0.', '0.0000001', '01', '1e-1x', 'a'])('rejects %j', (text) => {
    const scanner = over(text)
    const micros = scanner.micros()
    // `1e-1x` reads the 1 and leaves the exponent for the caller’s next check.
    if (text === '1e-1x') expect(scanner.peek()).toBe('e'.charCodeAt(0))
    else expect(micros).toBe(-1)
  })
})

describe('double', () => {
  test('every accepted text equals Number(text) bit for bit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?[0-9]{0,9}\.?[0-9]{0,9}$/), (text) => {
        const scanner = over(`${text},`)
        const value = scanner.double()
        if (Number.isNaN(value)) return scanner.pos === 0
        return Object.is(value, Number(text)) && scanner.pos === text.length && Object.is(value, JSON.parse(text))
      }),
      { numRuns: 20_000 },
    )
  })

  test.each(['', '-', '.5', '5.', '05', '1234567890123456', 'NaN', '+1', '--1'])('rejects %j', (text) => {
    expect(over(text).double()).toBeNaN()
  })
})

test('reads integers of up to 15 digits exactly; rejects leading zeros and longer ones', () => {
  expect(over('1790000000123,').integer()).toBe(1_790_000_000_123)
  expect(over('0}').integer()).toBe(0)
  for (const text of ['', '-1', '007', '1234567890123456']) expect(over(text).integer()).toBe(-1)
})

test('expect() steps over matching bytes and does not move otherwise', () => {
  const scanner = over('{"type":"x"}')
  expect(scanner.expect(ascii('{"kind"'))).toBe(false)
  expect(scanner.pos).toBe(0)
  expect(scanner.expect(ascii('{"type":"'))).toBe(true)
  expect(scanner.text()).toBe('x')
  expect(scanner.expectByte(125)).toBe(true)
  expect(scanner.atEnd()).toBe(true)
  expect(scanner.expect(ascii('}'))).toBe(false)
})

test('find() moves past the next match and does not move otherwise', () => {
  const scanner = over('aab"ab"c')
  expect(scanner.find(ascii('ab"'))).toBe(true)
  expect(scanner.pos).toBe(4)
  expect(scanner.find(ascii('zz'))).toBe(false)
  expect(scanner.pos).toBe(4)
})

test('rejects texts with escapes, control or non-ASCII characters, or without an end', () => {
  for (const text of ['a\\"b"', 'a\u0001"', 'ä"', 'abc']) {
    expect(over(text).text()).toBeNull()
    expect(over(text).skipText()).toBe(false)
  }
})

test('a text table returns the right text for every id, also when ids share a slot', () => {
  const table = new TextTable(4)
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[A-Z0-9-]{0,12}$/), { minLength: 1 }), (ids) =>
      ids.every((id) => over(`${id}"`).text(table) === id),
    ),
  )
})
