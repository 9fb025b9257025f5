// What the status says of a venue with a feed while some of its books have not come.
import { expect, it } from 'vitest'
import { streamedVenue } from './streamedVenue.ts'

it('books that were asked for and have not come are told with a reason, until they are there', async () => {
  const venue = await streamedVenue()
  venue.ingest.actor.tell({ kind: 'pin', bookIds: ['a', 'b'] })
  await venue.eventually(() => expect(venue.open()[0]?.sent).toContain('subscribe b'))
  const [socket] = venue.open()
  socket!.say({ kind: 'book', bookId: 'a', bidSize: 1, ts: null })
  await venue.eventually(() => expect(venue.newest('a')).toBe('live'))
  expect(venue.ingest.health()).toMatchObject({
    connection: 'connected',
    staleBooks: 1,
    reason: '1 of 2 books are stale: not read yet',
  })
  socket!.say({ kind: 'book', bookId: 'b', bidSize: 1, ts: null })
  await venue.eventually(() => expect(venue.newest('b')).toBe('live'))
  expect(venue.ingest.health()).toMatchObject({ connection: 'connected', staleBooks: 0, reason: null })
  await venue.stop()
})
