import { expect, test } from 'vitest'
import { tickMicrosOf, tickMicrosOfStructure } from '#venues/kalshi/data/grid'

test('the finest step of the exact grid takes precedence over the structure name; unknown structures stay unknown', () => {
  expect(
    tickMicrosOf(
      [
        { start: '0', end: '0.1', step: '0.0010' },
        { start: '0.1', end: '1', step: '0.0100' },
      ],
      'linear_cent',
    ),
  ).toBe(1_000)
  expect(tickMicrosOf([], 'linear_cent')).toBe(10_000)
  expect(tickMicrosOf([{ start: '0', end: '1', step: 'x' }], 'deci_cent')).toBe(1_000)
  expect(tickMicrosOf(null, 'unknown structure')).toBeNull()
  for (const word of ['constructor', '', null, undefined]) expect(tickMicrosOfStructure(word)).toBeNull()
})

test.each([
  ['linear_cent', 10_000],
  ['center_half_edge_half_cent', 5_000],
  ['tapered_deci_cent', 1_000],
  ['center_deci_edge_centi_cent', 100],
  ['centi_cent', 100],
])('a structure known only by name has its finest step: %s', (structure, micros) => {
  expect(tickMicrosOfStructure(structure)).toBe(micros)
})
