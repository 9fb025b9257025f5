import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { everyMarket } from '#schemas/topics'
import { OwnDemand } from '#storage/kafka/ownDemand'

test('includes what any part of this process requests, and nothing when none does', () => {
  const own = new OwnDemand(new ManualClock())
  const take = (gatewayId: string, venue: string, ...marketIds: string[]) =>
    own.take({ gatewayId, venue, marketIds, at: 0 })
  expect(own.includes('v:a')).toBe(false)
  take('g', 'v', 'a', 'b:c')
  take('s', 'v', 'a')
  expect(['v:a', 'v:b:c', 'v:b', 'w:a', 'a', ''].map((key) => own.includes(key))).toEqual([
    ...[true, true, false, false, false, false],
  ])
  take('g', 'v')
  expect(['v:a', 'v:b:c'].map((key) => own.includes(key))).toEqual([true, false])
  take('s', 'v', everyMarket)
  expect(['v:z', 'w:z'].map((key) => own.includes(key))).toEqual([true, false])
  take('s', 'v')
  expect(own.includes('v:z')).toBe(false)
})

test('measures undelivered time from the owner’s last heartbeat, at first from the start of demand, and is zero without demand', () => {
  const clock = new ManualClock()
  const own = new OwnDemand(clock)
  const take = (gatewayId: string, ...marketIds: string[]) => own.take({ gatewayId, venue: 'v', marketIds, at: 0 })
  own.onHeartbeat('v', 0)
  clock.advance(60_000)
  expect(own.undeliveredMs('v')).toBe(0)
  take('g', 'a')
  clock.advance(4_000)
  // Renewing the demand, or demand of another part, delivers nothing.
  take('g', 'a')
  take('s', 'b')
  expect(own.undeliveredMs('v')).toBe(4_000)
  own.onHeartbeat('v', 1_500)
  expect(own.undeliveredMs('v')).toBe(1_500)
  own.onHeartbeat('v', 9_000)
  own.onHeartbeat('w', 0)
  expect([own.undeliveredMs('v'), own.undeliveredMs('w')]).toEqual([1_500, 0])
  take('g')
  expect(own.undeliveredMs('v')).toBe(1_500)
  take('s')
  expect(own.undeliveredMs('v')).toBe(0)
})
