import { expect, test } from 'vitest'
import { VenueOwners } from '#books/owners'
import { ManualClock } from '#lib/clock'
import { ownerSilentMs } from '#schemas/topics'

const said = (epoch: number) => ({ venue: 'kalshi', epoch })

test('only the newest owner counts, whichever word of it comes first; who listens is told before its first word is admitted', () => {
  const owners = new VenueOwners(new ManualClock())
  const changes: number[] = []
  const ignore = owners.onDoubt((_, below) => changes.push(below))
  expect(owners.admits(said(2))).toBe(true)
  expect(owners.admits(said(1))).toBe(false)
  expect(owners.admits({ venue: 'polymarket', epoch: 1 })).toBe(true)
  expect(changes).toEqual([])
  expect(owners.admits(said(3))).toBe(true)
  expect(owners.admits(said(2))).toBe(false)
  expect(owners.beat(said(4))).toBe(true)
  expect(owners.admits(said(3))).toBe(false)
  expect(changes).toEqual([3, 4])
  ignore()
  owners.admits(said(5))
  expect(changes).toEqual([3, 4])
})

test("a former owner's heartbeats do not keep the venue alive", () => {
  const clock = new ManualClock()
  const owners = new VenueOwners(clock)
  owners.beat(said(1))
  owners.beat(said(2))
  for (let second = 0; second < 20; second++) {
    clock.advance(1_000)
    expect(owners.beat(said(1))).toBe(false)
  }
  expect(owners.isHeard('kalshi')).toBe(false)
})

test('a reader that slept believes nothing it held, and no heartbeat that waited meanwhile', () => {
  const clock = new ManualClock()
  const owners = new VenueOwners(clock)
  owners.watchSleep()
  const doubts: number[] = []
  owners.onDoubt((_, below) => doubts.push(below))
  for (let second = 0; second < 10; second++) {
    owners.beat(said(1))
    clock.advance(1_000)
  }
  expect(doubts).toEqual([])
  clock.stall(60_000)
  // The owner died twenty seconds into the sleep.
  for (let second = 0; second < 20; second++) owners.beat(said(1), 60_000 - second * 1_000)
  expect(doubts).toEqual([Number.POSITIVE_INFINITY])
  expect(owners.isHeard('kalshi')).toBe(false)
  owners.beat(said(1))
  expect(owners.isHeard('kalshi')).toBe(true)
  for (let second = 0; second <= ownerSilentMs; second += 1_000) {
    expect(owners.isHeard('kalshi')).toBe(true)
    clock.advance(1_000)
  }
  expect(owners.isHeard('kalshi')).toBe(false)
})

test('heartbeats do not vouch for books that nobody reads', () => {
  const clock = new ManualClock()
  let unreadMs = 0
  const owners = new VenueOwners(clock, () => unreadMs)
  owners.beat(said(1))
  expect(owners.isHeard('kalshi')).toBe(true)
  unreadMs = ownerSilentMs + 1
  owners.beat(said(1))
  expect(owners.isHeard('kalshi')).toBe(false)
  unreadMs = 0
  expect(owners.isHeard('kalshi')).toBe(true)
})
