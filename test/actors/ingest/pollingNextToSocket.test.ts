// A venue whose socket carries only some books: the others are polled, and neither way affects the other.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CoverageEvent } from '#schemas/topics'
import { type StreamedVenue, streamedVenue } from './streamedVenue.ts'

let venue: StreamedVenue
beforeEach(async () => {
  venue = await streamedVenue({ carries: (bookId) => !bookId.startsWith('pool') })
})
afterEach(() => venue.stop())

const pin = (...bookIds: string[]): void => venue.ingest.actor.send({ kind: 'pin', bookIds })
async function streams(bookId: string): Promise<void> {
  await venue.eventually(() => expect(venue.open()).toHaveLength(1))
  await venue.eventually(() => expect(venue.open()[0]!.sent).toEqual([`subscribe ${bookId}`]))
  venue.open()[0]!.deliver({ kind: 'book', bookId, bidSize: 1, ts: null })
}

it('polls books that the socket does not carry, without a socket or subscription for them', async () => {
  const coverage: CoverageEvent[] = []
  await venue.bus.consume('coverage', 'test', async ({ values }) => void coverage.push(...values))
  for (const bookId of ['pool 1', 'pool 2']) venue.rest.set(bookId, 5)
  pin('pool 1')
  await venue.eventually(() => expect(venue.newest('pool 1')).toBe('live'))
  expect(venue.open()).toHaveLength(0)

  venue.rest.set('a', 1)
  pin('pool 1', 'a', 'pool 2')
  await streams('a')
  await venue.eventually(() => expect(['a', 'pool 2'].map(venue.newest)).toEqual(['live', 'live']))
  // Coverage of each book names its mechanism.
  const mechanisms = () => new Set(coverage.map(({ outcomeId, mechanism }) => `${outcomeId} ${mechanism}`))
  const expected = ['pool 1 rest-adaptive', 'a ws-lossless', 'pool 2 rest-adaptive']
  await venue.eventually(() => expect(mechanisms()).toEqual(new Set(expected)))

  // The socket is cut: polling continues.
  const before = venue.statesOf('pool 1').length
  venue.open()[0]!.close('cut')
  await venue.eventually(() => expect(venue.newest('a')).toMatch(/^stale/))
  venue.rest.set('pool 1', 6)
  await venue.eventually(() => {
    venue.clock.advance(100)
    expect(venue.statesOf('pool 1').length).toBeGreaterThan(before)
  })
  expect(venue.statesOf('pool 1').every((state) => state === 'live')).toBe(true)
})

it('marks a polled book stale that cannot be read in time, although the socket delivers', async () => {
  let answers = true
  const fetchOrderBooks = venue.data.fetchOrderBooks!
  venue.data.fetchOrderBooks = (...given) => (answers ? fetchOrderBooks(...given) : new Promise(() => undefined))
  venue.rest.set('pool 1', 5)
  venue.rest.set('a', 1)
  pin('pool 1', 'a')
  await streams('a')
  await venue.eventually(() => expect(['a', 'pool 1'].map(venue.newest)).toEqual(['live', 'live']))
  answers = false
  await venue.eventually(() => {
    venue.clock.advance(500)
    venue.open()[0]?.deliver({ kind: 'delta', bookId: 'a', bidSize: 1 + (venue.clock.now() % 50), ts: null })
    expect(venue.newest('pool 1')).toMatch(/^stale/)
  })
})
