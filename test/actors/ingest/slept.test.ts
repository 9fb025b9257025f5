// A suspended process finds its sockets full of unread data: its own silence is not the venue's.
import { afterEach, expect, it } from 'vitest'
import { type FakeSocket, type StreamedVenue, streamedVenue } from './streamedVenue.ts'

const venues: StreamedVenue[] = []
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop()
})

it.each([
  { how: 'keeps a socket that delivers data after the process wakes', isFull: true },
  { how: 'closes a socket that does not', isFull: false },
])('$how', async ({ isFull }) => {
  const venue = await streamedVenue()
  venues.push(venue)
  const { clock, ingest, sockets } = venue
  venue.rest.set('a', 1)
  ingest.actor.send({ kind: 'pin', bookIds: ['a'] })
  await venue.eventually(() => expect(sockets[0]?.sent).toEqual(['subscribe a']))
  const [socket] = sockets as [FakeSocket]
  socket.deliver({ kind: 'book', bookId: 'a', bidSize: 1, ts: clock.now() })
  await venue.eventually(() => expect(venue.newest('a')).toBe('live'))

  clock.stall(40_000)
  // Timers run before the data in sockets is read.
  clock.advance(1)
  if (isFull) socket.deliver({ kind: 'delta', bookId: 'a', bidSize: 2, ts: clock.now() })
  const until = clock.now() + 5_000
  await venue.eventually(() => {
    clock.advance(200)
    expect(clock.now()).toBeGreaterThan(until)
  })
  expect(socket.isClosed).toBe(!isFull)
})
