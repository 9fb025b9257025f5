import { expect, it } from 'vitest'
import { settlingMs } from '#portfolio/reconciliation/compare'
import { compareOrders, type OurOrder } from '#portfolio/reconciliation/compareOrders'
import type { HeldOrder } from '#venues/holdings'

const asOf = 1_790_000_000_000

const shown = (venueRef: string, more: Partial<HeldOrder> = {}): HeldOrder => ({
  venueRef,
  marketId: 'M',
  outcomeId: 'yes',
  isBuy: true,
  price: '0.5',
  remaining: '10',
  ...more,
})
const ours = (venueRef: string | null, more: Partial<OurOrder> = {}): OurOrder => ({
  executionId: 'e-1',
  status: 'acked',
  venueRef,
  marketId: 'M',
  outcomeId: 'yes',
  updatedAt: asOf - settlingMs,
  ...more,
})

const compare = (known: OurOrder[], orders: HeldOrder[], isComplete = true) =>
  compareOrders(known, { orders, isComplete }, asOf).map((row) => [row.orderId, row.class, row.reason, row.executionId])

it('finds an order by the venue’s id, in either spelling of a hash', () => {
  expect(compare([ours('0xAB')], [shown('0xab')])).toEqual([['0xab', 'equal', 'same', 'e-1']])
})

it('takes outcome and market from ours where the venue names none', () => {
  const [row] = compareOrders(
    [ours('1')],
    { orders: [shown('1', { marketId: null, outcomeId: null })], isComplete: true },
    asOf,
  )
  expect(row).toMatchObject({ marketId: 'M', outcomeId: 'yes', price: '0.5', remaining: '10', status: 'acked' })
})

it('reports an order that rests although ours has ended', () => {
  expect(compare([ours('1', { status: 'canceled' })], [shown('1')])).toEqual([['1', 'drift', 'rests_after_end', 'e-1']])
})

it('reports an order that we do not know, unless it may be one of unknown outcome', () => {
  expect(compare([], [shown('1')])).toEqual([['1', 'orphan', 'not_in_journal', null]])
  const sent = ours(null, { status: 'submitted' })
  expect(compare([sent], [shown('1')])).toEqual([['1', 'pending', 'outcome_unknown', 'e-1']])
  expect(compare([sent], [shown('1', { outcomeId: null })])).toEqual([['1', 'pending', 'outcome_unknown', 'e-1']])
  expect(compare([sent], [shown('1', { outcomeId: 'no' })])).toEqual([['1', 'orphan', 'not_in_journal', null]])
})

it('reports ours that a complete list does not show, once it is not recent', () => {
  expect(compare([ours('1')], [])).toEqual([['1', 'ghost', 'not_at_venue', 'e-1']])
  expect(compare([ours('1')], [], false)).toEqual([['1', 'unproven', 'list_incomplete', 'e-1']])
  expect(compare([ours('1', { updatedAt: asOf - settlingMs + 1 })], [])).toEqual([['1', 'pending', 'recent', 'e-1']])
})

it('does not list ours that ended, or that the venue never confirmed', () => {
  expect(compare([ours('1', { status: 'filled' }), ours(null, { status: 'submitted' })], [])).toEqual([])
})
