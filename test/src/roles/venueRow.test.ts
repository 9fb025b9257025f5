import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { mergeParts } from '#roles/venueRow'
import type { VenueHealth } from '#schemas/topics'
import { healthOf } from '#test/support/venueHealth'

const clock = new ManualClock(1_790_000_000_000)
const of = (part: string, more: Partial<VenueHealth> = {}) => healthOf(clock, 'kalshi', { part, ...more })

test('reports a venue that is not split as its owner reports it', () => {
  const whole = healthOf(clock, 'kalshi', { reason: 'x' })
  expect(mergeParts([whole], [])).toBe(whole)
  expect(mergeParts([], [])).toBeUndefined()
})

test('merges the parts: sum of counts, worst connection, oldest proof and newest message', () => {
  const row = mergeParts(
    [
      of('1/3', {
        ...{ watchedBooks: 10, staleBooks: 1, sockets: 2, oldestProofMs: 900, provenWithinMs: 12_000 },
        staleReasons: { gap: 1 },
        at: 5,
      }),
      of('2/3', {
        ...{ connection: 'degraded', watchedBooks: 7, staleBooks: 3, sockets: 1, oldestProofMs: 4_000, at: 3 },
        staleReasons: { gap: 2, lagging: 1 },
        ...{ reason: '3 of 7 books are stale: gap', lastMessageAt: 90, lagMs: 40, provenWithinMs: null },
      }),
      of('3/3', { ...{ connection: 'idle', watchedBooks: 0, sockets: 0, lastMessageAt: 80 }, at: 4 }),
    ],
    [],
  )
  expect(row).toEqual({
    ...{ venue: 'kalshi', connection: 'degraded', watchedBooks: 17, staleBooks: 4, sockets: 3 },
    ...{ oldestProofMs: 4_000, provenWithinMs: 12_000, lastMessageAt: 90, lagMs: 40, legProofMs: 15_000, at: 3 },
    reason: 'part 2/3: 3 of 7 books are stale: gap',
    staleReasons: { gap: 3, lagging: 1 },
  })
})

test('leaves a value unknown when no part knows it', () => {
  expect(mergeParts([of('1/2'), of('2/2')], [])).toMatchObject({
    ...{ connection: 'connected', reason: null, lastMessageAt: null, lagMs: null, oldestProofMs: null },
  })
})

test('names a silent part and reports the venue as degraded while the others report', () => {
  expect(mergeParts([of('2/3', { reason: 'late' })], ['1/3', '3/3'])).toMatchObject({
    connection: 'degraded',
    reason: 'no ingest process reports parts 1/3, 3/3; part 2/3: late',
    watchedBooks: 1,
  })
  expect(mergeParts([of('2/2', { connection: 'unreachable' })], ['1/2'])).toMatchObject({ connection: 'unreachable' })
})
