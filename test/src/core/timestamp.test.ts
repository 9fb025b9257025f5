import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimestamp } from '#core/timestamp'

test.each([
  ['2026-02-28', Date.UTC(2026, 1, 28)],
  ['2024-02-29T10:00', Date.UTC(2024, 1, 29, 10)],
  ['2026-02-28 10:00:05.25', Date.UTC(2026, 1, 28, 10, 0, 5, 250)],
  ['2026-02-28T10:00:00+02:00', Date.UTC(2026, 1, 28, 8)],
  ['1790000000000', 1_790_000_000_000],
  [1_790_000_000_000, 1_790_000_000_000],
  [0, 0],
  [5, 5],
])('%s is valid', (given, ms) => {
  expect(parseTimestamp(given)).toEqual({ ms })
})

test.each([
  ['2026-02-30', 'not a real date: 2026-02-30'],
  ['2026-02-30T00:00:00Z', 'not a real date'],
  ['2026-02-29T00:00Z', 'not a real date'],
  ['2026-04-31', 'not a real date'],
  ['2026-13-01', 'not a real date'],
  ['1790000000', 'epoch seconds'],
  [1_790_000_000, 'epoch seconds'],
  ['tomorrow', 'must be an ISO timestamp'],
  ['', 'must be an ISO timestamp'],
  ['2026-01-01T25:00Z', 'must be an ISO timestamp'],
  [1.5, 'must be an ISO timestamp'],
  [-1, 'must be an ISO timestamp'],
  ['1790000000000000000', 'must be an ISO timestamp'],
])('%s is refused with the reason', (given, words) => {
  expect(parseTimestamp(given)).toMatchObject({ refusal: expect.stringContaining(words) })
})

test('parses the output of Date', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(8.6e15), noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      if (text.length === 24) expect(parseTimestamp(text)).toEqual({ ms: date.getTime() })
    }),
  )
})
