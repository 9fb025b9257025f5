import { expect, test } from 'vitest'
import { type ActiveDemand, Demands } from '#actors/ingest/demands'
import { everyMarket } from '#schemas/topics'

const wants = (inbox: number | undefined, marketIds: string[], more: Partial<ActiveDemand> = {}): ActiveDemand => ({
  marketIds: new Set(marketIds),
  purpose: undefined,
  near: undefined,
  inbox,
  at: 0,
  ...more,
})

test('sends a book once to each inbox whose process demands it, even if several parts of the process do', () => {
  const demands = new Demands()
  demands.set('gateway a', wants(3, ['x', 'y']))
  demands.set('gateway b', wants(7, ['y']))
  demands.set('surface of b', wants(7, ['y', 'z'], { purpose: 'surface' }))
  const goes = () => ['w', 'x', 'y', 'z'].map((id) => demands.inboxesOf('books', id))
  expect(goes()).toEqual([[], [3], [3, 7], [7]])
  demands.set('gateway b', wants(7, ['w']))
  expect(goes()).toEqual([[7], [3], [3, 7], [7]])
  demands.delete('surface of b')
  expect(goes()).toEqual([[7], [3], [3], []])
})

test('sends every book of the venue to a process that demands all, but trades only of the markets it names', () => {
  const demands = new Demands()
  demands.set('g', wants(1, [everyMarket, 'x']))
  expect(['x', 'y'].map((id) => demands.inboxesOf('books', id))).toEqual([[1], [1]])
  expect(['x', 'y'].map((id) => demands.inboxesOf('trades', id))).toEqual([[1], []])
})

test('sends trades to readers only', () => {
  const demands = new Demands()
  demands.set('surface', wants(1, ['x'], { purpose: 'surface' }))
  demands.set('triggers', wants(2, ['x'], { purpose: 'triggers' }))
  demands.set('gateway', wants(3, ['x']))
  expect(demands.inboxesOf('trades', 'x')).toEqual([3])
  expect(demands.inboxesOf('books', 'x')).toEqual([1, 2, 3])
})

test('keeps books watched for a sender without an inbox, and sends it none', () => {
  const demands = new Demands()
  demands.set('g', wants(undefined, ['x']))
  expect(demands.inboxesOf('books', 'x')).toEqual([])
})
