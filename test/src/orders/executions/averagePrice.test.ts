import { expect, it } from 'vitest'
import { averagePriceOf } from '#orders/executions/averagePrice'
import type { JsonObject } from '#schemas/executions'
import type { FilledOrder, NormalizedFill } from '#venues/lane'

const order: FilledOrder = {
  intent: 'order',
  unsigned: {},
  submittedArtifact: null,
  bounds: {},
  terms: null,
  owner: null,
}
/** Fills of this test are stored as they are read. */
const lane = { readFill: (fill: JsonObject) => (fill.size === undefined ? null : (fill as unknown as NormalizedFill)) }

const fill = (size: string, cash: string | null, more: object = {}): JsonObject => ({
  ...{ size, cash, fee: null, feeIn: 'cash' },
  ...more,
})
const averageOf = (fills: readonly JsonObject[], matchedSize: string | null = null): string | null =>
  averagePriceOf(
    lane,
    order,
    fills.map((each, i) => ({ id: String(i + 1), execution_id: 'e', fill: each })),
    matchedSize,
  )

it('weighs each fill by its size', () => {
  expect(averageOf([fill('1', '0.4'), fill('2', '1')])).toBe('0.466666667')
  expect(averageOf([fill('3', '1.2')], '3')).toBe('0.4')
})

it('replaces earlier fills by one that reports the total', () => {
  expect(averageOf([fill('1', '0.9'), fill('4', '2', { cumulative: true }), fill('1', '0.5')])).toBe('0.5')
})

it('ignores a reverted fill and the row that reverts it', () => {
  const withdrawal = fill('1', '0.9', { withdrawn: true, withdrawsFillId: '1' })
  expect(averageOf([fill('1', '0.9'), fill('2', '1'), withdrawal])).toBe('0.5')
})

it.each([
  ['no fill is stored', [], null],
  ['a fill reports no price', [fill('1', '0.4'), fill('1', null)], null],
  ['a fill cannot be read', [fill('1', '0.4'), {}], null],
  ['less is stored than was matched', [fill('1', '0.4')], '2'],
] as const)('is unknown when %s', (_, fills, matchedSize) => expect(averageOf(fills, matchedSize)).toBeNull())

it('is unknown for a lane that cannot read fills', () =>
  expect(averagePriceOf({}, order, [{ id: '1', execution_id: 'e', fill: fill('1', '0.4') }], null)).toBeNull())
