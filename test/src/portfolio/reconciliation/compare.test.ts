import { describe, expect, it } from 'vitest'
import { comparePositions, type Sides, settlingMs } from '#portfolio/reconciliation/compare'
import type { OurPosition } from '#portfolio/reconciliation/ourPosition'
import type { HeldPosition, RecentFill } from '#venues/holdings'

const asOf = 1_790_000_000_000

const ours = (quantity: string, more: Partial<OurPosition> = {}): OurPosition => ({
  marketId: 'M',
  outcomeId: 'yes',
  quantity,
  averageCost: '0.5',
  fees: '0',
  isEnded: false,
  updatedAt: asOf - settlingMs * 10,
  ...more,
})
const theirs = (quantity: string, more: Partial<HeldPosition> = {}): HeldPosition => ({
  marketId: 'M',
  outcomeId: 'yes',
  quantity,
  averageCost: '0.5',
  ...more,
})
const fill = (size: string, at: number, more: Partial<RecentFill> = {}): RecentFill => ({
  outcomeId: 'yes',
  isBuy: true,
  size,
  at,
  ...more,
})

const compare = (sides: Partial<Sides>) =>
  comparePositions({
    ours: [],
    settled: [],
    theirs: [],
    isComplete: true,
    asOf,
    rules: { costStep: '0.0001' },
    recent: { theirs: [], ours: [] },
    unexplained: [],
    ...sides,
  })
const only = (sides: Partial<Sides>) => {
  const [row, ...others] = compare(sides)
  expect(others).toEqual([])
  return row
}
const netting = { sides: () => ['yes', 'no'] as const, costStep: '0.0001' }

describe('each outcome', () => {
  it('is equal with the same quantity and cost', () => {
    expect(only({ ours: [ours('10')], theirs: [theirs('10')] })).toMatchObject({
      class: 'equal',
      reason: 'same',
      difference: '0',
      costDifference: '0',
      ours: { quantity: '10' },
      theirs: { quantity: '10' },
    })
  })

  it('is an orphan when only the venue shows it, also in an incomplete list', () => {
    for (const isComplete of [true, false]) {
      expect(only({ theirs: [theirs('3')], isComplete })).toMatchObject({
        class: 'orphan',
        reason: 'not_in_journal',
        ours: null,
        difference: '3',
        lastEntryAt: null,
      })
    }
  })

  it('is a ghost when only the journal has it and the list is complete', () => {
    expect(only({ ours: [ours('3')] })).toMatchObject({
      class: 'ghost',
      reason: 'not_at_venue',
      theirs: null,
      difference: '-3',
    })
  })

  it('is unproven when the list is incomplete, or the market has ended', () => {
    expect(only({ ours: [ours('3')], isComplete: false })).toMatchObject({
      class: 'unproven',
      reason: 'list_incomplete',
    })
    expect(only({ ours: [ours('3', { isEnded: true })] })).toMatchObject({ class: 'unproven', reason: 'market_ended' })
  })

  it('drifts in quantity, also where one side is short', () => {
    expect(only({ ours: [ours('10')], theirs: [theirs('7.5')] })).toMatchObject({
      class: 'drift',
      reason: 'quantity',
      difference: '-2.5',
    })
    expect(only({ ours: [ours('-2')], theirs: [theirs('2')] })).toMatchObject({
      class: 'drift',
      difference: '4',
      costDifference: null,
    })
  })

  it('drifts in cost by more than the fees paid in it and the rounding of the venue', () => {
    const fees = { averageCost: '0.52', fees: '0.2' }
    expect(only({ ours: [ours('10', fees)], theirs: [theirs('10')] })).toMatchObject({ class: 'equal' })
    expect(only({ ours: [ours('10', fees)], theirs: [theirs('10', { averageCost: '0.4998' })] })).toMatchObject({
      class: 'drift',
      reason: 'cost',
      costDifference: '-0.0202',
    })
  })

  it('compares no cost that one side does not know', () => {
    for (const [our, their] of [
      [ours('1', { averageCost: null }), theirs('1')],
      [ours('1'), theirs('1', { averageCost: null })],
      [ours('1', { fees: null, averageCost: '0.9' }), theirs('1')],
    ] as const) {
      expect(only({ ours: [our], theirs: [their] })).toMatchObject({ class: 'equal' })
    }
  })

  it('is equal within the rounding of the venue, and no further', () => {
    const rules = { quantityStep: '0.000001', costStep: '0.0001' }
    expect(only({ ours: [ours('1.0000009')], theirs: [theirs('1')], rules })).toMatchObject({
      reason: 'within_rounding',
    })
    expect(only({ ours: [ours('1.000001')], theirs: [theirs('1')], rules })).toMatchObject({ class: 'drift' })
  })

  it('is left out when neither side holds it', () => {
    expect(compare({ ours: [ours('0')], theirs: [theirs('0')] })).toEqual([])
  })

  it('is listed once per market and outcome, in their order', () => {
    const rows = compare({
      ours: [ours('1', { marketId: 'Z' }), ours('1', { outcomeId: 'no' })],
      theirs: [theirs('1', { marketId: 'A' }), theirs('1', { marketId: null, outcomeId: 'unknown' })],
    })
    expect(rows.map(({ marketId, outcomeId }) => [marketId, outcomeId])).toEqual([
      ['A', 'yes'],
      ['M', 'no'],
      ['Z', 'yes'],
      [null, 'unknown'],
    ])
  })
})

describe('pending', () => {
  it('covers what the venue reported as filled of our orders beyond the stored fills', () => {
    const unexplained = [{ outcomeId: 'yes', executionId: 'e-1', size: '4' }]
    expect(only({ ours: [ours('6')], theirs: [theirs('10')], unexplained })).toMatchObject({
      class: 'pending',
      reason: 'fills_not_stored',
      unexplained: ['e-1'],
    })
    expect(only({ ours: [ours('6')], theirs: [theirs('10.5')], unexplained })).toMatchObject({ class: 'drift' })
    expect(
      only({ ours: [ours('6', { outcomeId: 'no' })], theirs: [theirs('8', { outcomeId: 'no' })], unexplained }),
    ).toMatchObject({ class: 'drift', unexplained: [] })
  })

  it('covers the newest fills that the venue shows and the journal lacks', () => {
    const recent = { theirs: [fill('5', 1), fill('2', 3), fill('1', 2, { isBuy: false })], ours: [] }
    expect(only({ theirs: [theirs('2')], recent })).toMatchObject({ class: 'pending', reason: 'fills_not_stored' })
    expect(only({ ours: [ours('9')], theirs: [theirs('10')], recent })).toMatchObject({ class: 'pending' })
    expect(only({ ours: [ours('5')], theirs: [theirs('10')], recent })).toMatchObject({ class: 'drift' })
  })

  it('covers our newest fills that the venue does not show yet', () => {
    const recent = { theirs: [], ours: [fill('3', asOf - 1_000)] }
    expect(only({ ours: [ours('3')], recent })).toMatchObject({ class: 'pending', reason: 'fills_not_shown' })
    expect(only({ ours: [ours('4')], recent })).toMatchObject({ class: 'ghost' })
  })
})

describe('at a venue with one position per market', () => {
  it('nets what the journal keeps of both sides', () => {
    const both = [ours('10'), ours('4', { outcomeId: 'no' })]
    expect(only({ ours: both, theirs: [theirs('6')], rules: netting })).toMatchObject({
      outcomeId: 'yes',
      class: 'equal',
      costDifference: null,
    })
  })

  it('reads a short position of YES as NO, at one minus its price', () => {
    const short = ours('-5', { averageCost: '0.6' })
    const held = theirs('5', { outcomeId: 'no', averageCost: '0.4' })
    expect(only({ ours: [short], theirs: [held], rules: netting })).toMatchObject({
      outcomeId: 'no',
      class: 'equal',
      costDifference: '0',
      ours: { quantity: '5', averageCost: '0.4' },
    })
  })

  it('shows opposite sides as one row with both quantities', () => {
    const held = theirs('3', { outcomeId: 'no' })
    expect(only({ ours: [ours('5')], theirs: [held], rules: netting })).toMatchObject({
      outcomeId: 'yes',
      class: 'drift',
      ours: { quantity: '5' },
      theirs: { quantity: '-3' },
      difference: '-8',
    })
  })

  it('counts a fill of the other side against this one', () => {
    const recent = { theirs: [fill('2', 1, { outcomeId: 'no' })], ours: [] }
    expect(only({ ours: [ours('5')], theirs: [theirs('3')], rules: netting, recent })).toMatchObject({
      class: 'pending',
    })
  })
})

describe('an outcome that our journal has settled', () => {
  it('waits for the venue as long as that shows what was held before', () => {
    const row = only({ settled: [ours('50')], theirs: [theirs('50')] })
    expect(row).toMatchObject({ class: 'pending', reason: 'settled', ours: null, lastEntryAt: asOf - settlingMs * 10 })
  })

  it('also after a part of it was redeemed', () => {
    const part = { ours: [ours('20', { isEnded: true })], settled: [ours('50')], theirs: [theirs('50')] }
    expect(only(part)).toMatchObject({ class: 'pending', reason: 'settled', difference: '30' })
  })

  it('is never a position that only the venue has', () => {
    const row = only({ settled: [ours('50')], theirs: [theirs('60')] })
    expect(row).toMatchObject({ class: 'drift', reason: 'quantity', difference: '60' })
  })

  it('differs if the venue still shows what was redeemed, and is not offered as an orphan', () => {
    for (const isComplete of [true, false]) {
      const row = only({ settled: [ours('0')], theirs: [theirs('50')], isComplete })
      expect(row).toMatchObject({ class: 'drift', reason: 'quantity', ours: null, difference: '50' })
    }
    expect(compare({ settled: [ours('0')] })).toEqual([])
  })

  it('is netted like the other positions', () => {
    const settled = [ours('50'), ours('20', { outcomeId: 'no' })]
    expect(only({ rules: netting, settled, theirs: [theirs('30')] })).toMatchObject({ reason: 'settled' })
  })

  it('is no difference once the venue has paid', () => {
    expect(compare({ settled: [ours('50')] })).toEqual([])
  })
})
