// What the status of a venue with a feed reports while some of its books have not arrived.
import { expect, it } from 'vitest'
import { streamedVenue } from './streamedVenue.ts'

it('reports requested books that have not arrived with a reason until they have', async () => {
  const venue = await streamedVenue()
  venue.ingest.actor.send({ kind: 'pin', bookIds: ['a', 'b'] })
  await venue.eventually(() => expect(venue.open()[0]?.sent).toContain('subscribe b'))
  const [socket] = venue.open()
  socket!.deliver({ kind: 'book', bookId: 'a', bidSize: 1, ts: null })
  await venue.eventually(() => expect(venue.newest('a')).toBe('live'))
  expect(venue.ingest.health()).toMatchObject({
    connection: 'connected',
    staleBooks: 1,
    reason: '1 of 2 books are stale: not_received',
  })
  socket!.deliver({ kind: 'book', bookId: 'b', bidSize: 1, ts: null })
  await venue.eventually(() => expect(venue.newest('b')).toBe('live'))
  expect(venue.ingest.health()).toMatchObject({ connection: 'connected', staleBooks: 0, reason: null })
  await venue.stop()
})
