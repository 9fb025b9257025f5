// What a venue's ingest does after it crashed: its books become stale, and it watches them again without waiting for the next demand.
import { afterEach, expect, it } from 'vitest'
import { type StreamedVenue, streamedVenue } from './streamedVenue.ts'

let venue: StreamedVenue | undefined
afterEach(() => venue?.stop())

it('marks its books stale, connects again at once, and subscribes to what was demanded and pinned', async () => {
  let connections = 0
  venue = await streamedVenue({
    admits() {
      connections++
      if (connections === 2) throw new Error('a bug')
      return 'opens'
    },
  })
  const { ingest, sockets, eventually, newest } = venue
  ingest.actor.send({ kind: 'demand', gatewayId: 'gateway', marketIds: ['demanded'] })
  ingest.actor.send({ kind: 'pin', bookIds: ['pinned'] })
  await eventually(() => expect(sockets[0]!.sent.toSorted()).toEqual(['subscribe demanded', 'subscribe pinned']))
  sockets[0]!.deliver({ kind: 'book', bookId: 'demanded', bidSize: 5, ts: null })
  await eventually(() => expect(newest('demanded')).toBe('live'))

  // The attempt to connect again crashes the actor.
  sockets[0]!.close('gone')
  await eventually(() => expect(connections).toBe(3))
  expect(newest('demanded')).toMatch(/^stale /)
  await eventually(() => expect(sockets.at(-1)!.sent.toSorted()).toEqual(['subscribe demanded', 'subscribe pinned']))
  sockets.at(-1)!.deliver({ kind: 'book', bookId: 'demanded', bidSize: 6, ts: null })
  await eventually(() => expect(newest('demanded')).toBe('live'))
})
