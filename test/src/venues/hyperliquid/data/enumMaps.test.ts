// Keyed descriptions, templates and times.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seed } from '#test/support/seed'
import { fieldsOf, fill, sideLabel, slugOf, timeMs, timeText } from '#venues/hyperliquid/data/enumMaps'

it('parses a keyed description key by key, with colons allowed in values; prose has no keys', () => {
  expect(fieldsOf('perp:xyz:SILVER|threshold:64.128')).toEqual({ perp: 'xyz:SILVER', threshold: '64.128' })
  expect(fieldsOf('metadata=category:sports|subCategory:basketball')).toEqual({
    category: 'sports',
    subCategory: 'basketball',
  })
  for (const prose of ['', 'This race is yet to begin.', 'a:1|and then some']) expect(fieldsOf(prose)).toEqual({})
})

it('a template with an unfilled placeholder gives null', () => {
  expect(fill('{a} beats {b}', { a: 'X', b: 'Y' }, null)).toBe('X beats Y')
  expect(fill('{a} beats {b}', { a: 'X' }, null)).toBeNull()
  expect(fill('{constructor}', {}, null)).toBeNull()
})

it('side names come from the outcome, its template or a keyword', () => {
  expect(sideLabel('template:Yes', {})).toBe('Yes')
  expect(sideLabel('template:{shortNameA}', { shortNameA: 'BRA' })).toBe('BRA')
  expect(sideLabel('New York', {})).toBe('New York')
})

it('every minute of the calendar survives formatting and parsing', () => {
  const minute = fc.integer({ min: 1_440, max: 66_000_000 }).map((count) => count * 60_000)
  fc.assert(
    fc.property(minute, (ms) => {
      const text = new Date(ms).toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+).*/, '$1$2$3-$4$5')
      expect(timeMs(text)).toBe(ms)
    }),
    { seed },
  )
})

it('a date without a time means the end of that day; an invalid date is no time', () => {
  expect(timeMs('20260912')).toBe(Date.UTC(2026, 8, 13))
  expect(timeText('20260912')).toBe('Sep 12, 2026')
  expect(timeText('20260912-0630')).toBe('Sep 12, 2026 06:30 UTC')
  for (const text of [
    '',
    '20260230-0000',
    '20261301-0000',
    '20260912-2460',
    '20260912-2500',
    '19690101-0000',
    'soon',
  ]) {
    expect(timeMs(text), text).toBeNull()
    expect(timeText(text), text).toBeNull()
  }
})

it('slugs match the venue’s URLs', () => {
  expect(slugOf('May CPI year-over-year: Below 4.3%')).toBe('may-cpi-year-over-year-below-43')
})
