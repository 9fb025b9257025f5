import { expect, it } from 'vitest'
import { FillEntries } from '#portfolio/journal/fillEntries'
import type { JsonObject } from '#schemas/executions'
import type { FillRow } from '#storage/postgres/executions/findExecutions'
import type { FilledOrderRow } from '#storage/postgres/portfolio/findFills'
import type { NormalizedFill } from '#venues/lane'

const order: FilledOrderRow = {
  id: 'e1',
  venue: 'kalshi',
  intent: 'order',
  unsigned: '{}',
  submitted_artifact: null,
  bounds: {},
  terms: { marketId: 'M', outcomeId: 'M', outcomeSide: 'YES', isBuy: true, price: '0.5', size: '10' },
  owner: null,
  summary: { currency: 'USD' },
  venue_ref: 'v1',
}

let ids = 0
const rowOf = (fill: object): FillRow => ({
  id: String(++ids),
  execution_id: 'e1',
  venue: 'kalshi',
  venue_key: `key-${ids}`,
  fill: fill as JsonObject,
  filled_at: new Date(ids * 1_000),
})

const zero = { cash: '0', fee: '0', feeIn: 'cash' as const }
/** The fill is stored as it is read. */
const readFill = (fill: JsonObject): NormalizedFill => ({ size: '0', ...zero, ...(fill as object) })
const total = (size: string, cash: string | null, fee: string | null = '0') => ({ size, cash, fee, cumulative: true })

function amounts(rows: readonly object[]) {
  const fills = new FillEntries()
  for (const row of rows) fills.add(rowOf(row), order, readFill)
  return fills.list().flatMap((entry) => (entry.kind === 'fill' ? [[entry.size, entry.cash, entry.fee]] : []))
}

it.each([
  ['the first total counts as a whole', [total('2', '1')], [['2', '1', '0']]],
  [
    'a later total counts by what it adds',
    [total('2', '1'), total('5', '2.2', '0.1')],
    [
      ['2', '1', '0'],
      ['3', '1.2', '0.1'],
    ],
  ],
  ['an equal total adds nothing', [total('2', '1'), total('2', '1')], [['2', '1', '0']]],
  [
    'a total includes single fills before it',
    [{ size: '2', cash: '1' }, total('5', '2.2')],
    [
      ['2', '1', '0'],
      ['3', '1.2', '0'],
    ],
  ],
  [
    'an unknown amount stays unknown',
    [total('2', '1'), total('5', null)],
    [
      ['2', '1', '0'],
      ['3', null, '0'],
    ],
  ],
  [
    'a total that reveals an amount replaces what was before',
    [total('2', null), total('5', '2.2')],
    [['5', '2.2', '0']],
  ],
  ['a smaller total replaces what was before', [total('5', '2.2'), total('4', '2')], [['4', '2', '0']]],
])('%s', (_, rows, expected) => {
  expect(amounts(rows)).toEqual(expected)
})

it('replaces what was before when the fee is taken in another unit', () => {
  expect(amounts([total('2', '1'), { ...total('5', '2.2', '0.5'), feeIn: 'outcome' }])).toEqual([['5', '2.2', '0.5']])
})

it('keeps the digits that the ledger can hold', () => {
  const digits = `0.${'3'.repeat(20)}`
  expect(amounts([{ size: '1', cash: digits }])).toEqual([['1', `0.${'3'.repeat(18)}`, '0']])
})

it.each([
  ['of a lane that reads no fills', order, undefined, 'not_supported'],
  ['of an order without terms', { ...order, terms: null }, readFill, 'no_terms'],
  ['without a size', order, () => null, 'unreadable'],
  ['of size 0', order, () => ({ size: '0', ...zero }), 'unreadable'],
] as const)('makes no entry of a fill %s, and names it', (_, row, read, reason) => {
  const fills = new FillEntries()
  const stored = rowOf({ size: '1' })
  fills.add(stored, row, read)
  expect(fills.list()).toEqual([])
  expect(fills.unreadable).toEqual([{ fillId: stored.id, executionId: 'e1', venue: 'kalshi', reason }])
  const withdrawal = rowOf({ withdrawn: true, withdrawsFillId: stored.id })
  fills.add(withdrawal, row, read)
  expect(fills.unreadable).toEqual([])
})

it('adds up what was filled of an order, without what was withdrawn', () => {
  const fills = new FillEntries()
  const first = rowOf({ size: '2', cash: '1' })
  fills.add(first, order, readFill)
  fills.add(rowOf({ size: '3', cash: '1' }), order, readFill)
  expect(fills.filledSize(order)).toBe('5')
  fills.add(rowOf({ withdrawn: true, withdrawsFillId: first.id }), order, readFill)
  expect(fills.filledSize(order)).toBe('3')
  expect(fills.filledSize({ ...order, id: 'e2', venue_ref: 'v2' })).toBe('0')
})

it('keeps an order in one piece that gets its id at the venue after its first fill', () => {
  const fills = new FillEntries()
  fills.add(rowOf({ size: '2', cash: '1' }), { ...order, venue_ref: null }, readFill)
  fills.add(rowOf(total('5', '2.2')), order, readFill)
  expect(fills.filledSize(order)).toBe('5')
  expect(fills.list()).toMatchObject([{ size: '2' }, { size: '3', cash: '1.2' }])
})
