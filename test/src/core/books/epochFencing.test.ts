import { expect, test } from 'vitest'
import { type Invalidation, VenueOwners } from '#core/books/epochFencing'
import { ManualClock } from '#core/clock'
import { ownerTimeoutMs } from '#schemas/topics'

const update = (epoch: number, part?: string) => ({ venue: 'kalshi', epoch, ...(part !== undefined && { part }) })
const voided = (isVoid: Invalidation['isVoid'], part?: string): number[] =>
  [0, 1, 2, 3, 4, 5].filter((epoch) => isVoid({ epoch, part }))

test('accepts only the newest owner, from update or heartbeat, and notifies listeners before its first update is admitted', () => {
  const owners = new VenueOwners(new ManualClock())
  /** Void epochs among the first six. */
  const changes: number[][] = []
  const ignore = owners.onInvalidation((_, { isVoid }) => changes.push(voided(isVoid)))
  expect(owners.admits(update(2))).toBe(true)
  expect(owners.admits(update(1))).toBe(false)
  expect(owners.admits({ venue: 'polymarket', epoch: 1 })).toBe(true)
  expect(changes).toEqual([])
  expect(owners.admits(update(3))).toBe(true)
  expect(owners.admits(update(2))).toBe(false)
  expect(owners.beat(update(4))).toBe(true)
  expect(owners.admits(update(3))).toBe(false)
  expect(changes).toEqual([
    [0, 1, 2],
    [0, 1, 2, 3],
  ])
  ignore()
  owners.admits(update(5))
  expect(changes).toEqual([
    [0, 1, 2],
    [0, 1, 2, 3],
  ])
})

test("a former owner's heartbeats do not keep the venue alive", () => {
  const clock = new ManualClock()
  const owners = new VenueOwners(clock)
  owners.beat(update(1))
  owners.beat(update(2))
  for (let second = 0; second < 20; second++) {
    clock.advance(1_000)
    expect(owners.beat(update(1))).toBe(false)
  }
  expect(owners.isAlive('kalshi')).toBe(false)
})

test('after a process pause a reader trusts neither its books nor delayed heartbeats', () => {
  const clock = new ManualClock()
  const owners = new VenueOwners(clock)
  owners.watchSleep()
  const losses: number[][] = []
  owners.onInvalidation((_, { isVoid, hasSlept }) => losses.push(hasSlept ? voided(isVoid) : []))
  for (let second = 0; second < 10; second++) {
    owners.beat(update(1))
    clock.advance(1_000)
  }
  expect(losses).toEqual([])
  clock.stall(60_000)
  // The owner died twenty seconds into the pause.
  for (let second = 0; second < 20; second++) owners.beat(update(1), 60_000 - second * 1_000)
  expect(losses).toEqual([[0, 1, 2, 3, 4, 5]])
  expect(owners.isAlive('kalshi')).toBe(false)
  owners.beat(update(1))
  expect(owners.isAlive('kalshi')).toBe(true)
  for (let second = 0; second <= ownerTimeoutMs; second += 1_000) {
    expect(owners.isAlive('kalshi')).toBe(true)
    clock.advance(1_000)
  }
  expect(owners.isAlive('kalshi')).toBe(false)
})

test('heartbeats do not count while books are not read', () => {
  const clock = new ManualClock()
  let unreadMs = 0
  const owners = new VenueOwners(clock, () => unreadMs)
  owners.beat(update(1))
  expect(owners.isAlive('kalshi')).toBe(true)
  unreadMs = ownerTimeoutMs + 1
  owners.beat(update(1))
  expect(owners.isAlive('kalshi')).toBe(false)
  unreadMs = 0
  expect(owners.isAlive('kalshi')).toBe(true)
})

test('each part of a venue has its own owner: a new one leaves the updates of other parts valid', () => {
  const owners = new VenueOwners(new ManualClock())
  const changes: { of1: number[]; of2: number[] }[] = []
  owners.onInvalidation((_, { isVoid }) => changes.push({ of1: voided(isVoid, '1/2'), of2: voided(isVoid, '2/2') }))
  expect(owners.admits(update(3, '1/2'))).toBe(true)
  expect(owners.admits(update(1, '2/2')), 'taken long before the other part').toBe(true)
  expect(changes).toEqual([])
  expect(owners.admits(update(4, '2/2'))).toBe(true)
  expect([owners.admits(update(1, '2/2')), owners.admits(update(3, '1/2'))]).toEqual([false, true])
  expect(changes).toEqual([{ of1: [], of2: [0, 1, 2, 3] }])
  expect(owners.parts('kalshi')).toEqual(['1/2', '2/2'])
})

test('a part is alive while its own owner reports, and an unknown part is not', () => {
  const clock = new ManualClock()
  let unreadPart = ''
  const owners = new VenueOwners(clock, (_, part) => (part === unreadPart ? ownerTimeoutMs + 1 : 0))
  owners.beat(update(1, '1/3'))
  owners.beat(update(2, '2/3'))
  const reportingParts = () => owners.parts('kalshi').filter((part) => owners.isAlive('kalshi', part))
  expect(reportingParts()).toEqual(['1/3', '2/3'])
  expect(owners.isAlive('kalshi'), 'as a whole it has no owner').toBe(false)
  for (let second = 0; second <= ownerTimeoutMs; second += 1_000) {
    clock.advance(1_000)
    owners.beat(update(2, '2/3'))
  }
  expect(reportingParts()).toEqual(['2/3'])
  owners.beat(update(5, '1/3'))
  unreadPart = '2/3'
  expect(reportingParts()).toEqual(['1/3'])
})

test.each([
  { from: undefined, to: '2/2', back: undefined },
  { from: '1/2', to: undefined, back: '2/2' },
  { from: '1/2', to: '3/3', back: '1/2' },
])('a new division of a venue ($from → $to) voids all of the previous one', ({ from, to, back }) => {
  const clock = new ManualClock()
  const owners = new VenueOwners(clock)
  const losses: Invalidation[] = []
  owners.onInvalidation((_, loss) => losses.push(loss))
  owners.beat(update(3, from))
  expect(owners.admits(update(2, to)), 'older than everything known').toBe(false)
  expect(owners.isAlive('kalshi', from)).toBe(true)
  expect(owners.admits(update(5, to))).toBe(true)
  expect(losses).toHaveLength(1)
  expect([voided(losses[0]!.isVoid, from), voided(losses[0]!.isVoid, to)]).toEqual([[0, 1, 2, 3, 4, 5], []])
  expect([owners.isAlive('kalshi', from), owners.isAlive('kalshi', to)]).toEqual([false, true])
  expect(owners.beat(update(4, back))).toBe(false)
  expect(owners.beat(update(3, from))).toBe(false)
})
