// A feed that fell behind and whose socket was retired: data of the next connection is shown once it has proved to be in time.
import { afterEach, describe, expect, it } from 'vitest'
import { lagMaxMs } from '#actors/ingest/feedLatency'
import { type FakeSocket, type StreamedOptions, type StreamedVenue, streamedVenue } from './streamedVenue.ts'

const venues: StreamedVenue[] = []
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop()
})

/** Two books in time for a while; then every message is late, until the socket is retired and another one has opened. */
async function retiredSocket(
  admits?: StreamedOptions['admits'],
): Promise<{ venue: StreamedVenue; socket: FakeSocket; lateMs: number }> {
  const venue = await streamedVenue(admits === undefined ? {} : { admits })
  venues.push(venue)
  const { clock, ingest, sockets } = venue
  for (const bookId of ['a', 'b']) venue.rest.set(bookId, 1)
  ingest.actor.send({ kind: 'pin', bookIds: ['a', 'b'] })
  await venue.eventually(() => expect(sockets[0]?.sent).toEqual(['subscribe a', 'subscribe b']))
  const [first] = sockets as [FakeSocket]
  for (const bookId of ['a', 'b']) first.deliver({ kind: 'book', bookId, bidSize: 1, ts: clock.now() })
  await venue.eventually(() => expect([venue.newest('a'), venue.newest('b')]).toEqual(['live', 'live']))
  for (let n = 0; n < 10; n++) {
    clock.advance(100)
    first.deliver({ kind: 'delta', bookId: 'a', bidSize: 1, ts: clock.now() })
  }
  const lateMs = lagMaxMs + 1_000
  await venue.eventually(() => {
    clock.advance(500)
    if (!first.isClosed) first.deliver({ kind: 'delta', bookId: 'a', bidSize: 1, ts: clock.now() - lateMs })
    expect(sockets.at(-1)!.sent).toHaveLength(2)
    expect(sockets).toHaveLength(2)
  })
  expect([venue.newest('a'), venue.newest('b')]).toEqual(['stale lagging', 'stale lagging'])
  return { venue, socket: sockets[1]!, lateMs }
}

describe('the connection after one that lagged', () => {
  it('shows no book while its messages are late, however often it is reopened', async () => {
    const { venue, lateMs } = await retiredSocket()
    const { clock, sockets } = venue
    const countBefore = venue.statesOf('a').length
    const until = clock.now() + 60_000
    await venue.eventually(() => {
      clock.advance(200)
      const socket = sockets.at(-1)!
      if (!socket.isClosed && socket.sent.length > 0) {
        if (!socket.sent.includes('greeted')) {
          for (const bookId of ['a', 'b'])
            socket.deliver({ kind: 'book', bookId, bidSize: 1, ts: clock.now() - lateMs })
          socket.sent.push('greeted')
        }
        socket.deliver({ kind: 'delta', bookId: 'a', bidSize: clock.now() % 97, ts: clock.now() - lateMs })
      }
      expect(clock.now()).toBeGreaterThan(until)
    })
    expect(sockets.length).toBeGreaterThan(3)
    expect(venue.statesOf('a').slice(countBefore)).not.toContain('live')
    expect(venue.statesOf('b').slice(countBefore)).not.toContain('live')
    expect(venue.ingest.health()).toMatchObject({ connection: 'degraded', staleBooks: 2 })
    expect(venue.ingest.health().reason).toContain('lagging')
  })

  it('shows all its books, in their current state, with the first message that is in time', async () => {
    const { venue, socket, lateMs } = await retiredSocket()
    const { clock } = venue
    for (const bookId of ['a', 'b']) socket.deliver({ kind: 'book', bookId, bidSize: 1, ts: null })
    socket.deliver({ kind: 'delta', bookId: 'b', bidSize: 5, ts: clock.now() - lateMs })
    await venue.eventually(() => expect(venue.ingest.health().staleBooks).toBe(2))
    socket.deliver({ kind: 'delta', bookId: 'a', bidSize: 7, ts: clock.now() })
    await venue.eventually(() => expect([venue.newest('a'), venue.newest('b')]).toEqual(['live', 'live']))
    expect(venue.ingest.health()).toMatchObject({ staleBooks: 0, connection: 'connected', reason: null })
  })

  it('shows a quiet book once the venue’s REST book equals it, and keeps one that differs stale', async () => {
    const { venue, socket } = await retiredSocket()
    const { clock } = venue
    for (const bookId of ['a', 'b']) socket.deliver({ kind: 'book', bookId, bidSize: 1, ts: null })
    venue.rest.set('b', 3)
    await venue.eventually(() => {
      clock.advance(100)
      expect(venue.newest('a')).toBe('live')
    })
    expect(venue.newest('b')).toBe('stale lagging')
  })

  it.each(['before', 'after'])(
    'shows the books of a later connection when it is closed %s it has delivered anything',
    async (when) => {
      let isAway = false
      const { venue, socket, lateMs } = await retiredSocket(() => (isAway ? 'refuses' : 'opens'))
      const { clock, sockets } = venue
      // The older of the two snapshots is rejected.
      if (when === 'after') socket.deliver({ kind: 'book', bookId: 'a', bidSize: 1, ts: null })
      socket.deliver({ kind: 'book', bookId: 'b', bidSize: 1, ts: clock.now() - lateMs })
      isAway = true
      venue.rest.clear()
      socket.close('gone')
      const until = clock.now() + 120_000
      await venue.eventually(() => {
        clock.advance(1_000)
        expect(clock.now()).toBeGreaterThan(until)
      })
      isAway = false
      await venue.eventually(() => {
        clock.advance(100)
        expect(sockets.at(-1)!.sent).toHaveLength(2)
      })
      for (const bookId of ['a', 'b']) sockets.at(-1)!.deliver({ kind: 'book', bookId, bidSize: 1, ts: clock.now() })
      await venue.eventually(() => expect([venue.newest('a'), venue.newest('b')]).toEqual(['live', 'live']))
      expect(venue.ingest.health()).toMatchObject({ staleBooks: 0, connection: 'connected' })
    },
  )

  it('does not request snapshots again that have arrived', async () => {
    const { venue, socket } = await retiredSocket()
    const { clock } = venue
    for (const bookId of ['a', 'b']) socket.deliver({ kind: 'book', bookId, bidSize: 1, ts: null })
    const until = clock.now() + 10_000
    venue.rest.clear()
    await venue.eventually(() => {
      clock.advance(500)
      expect(clock.now()).toBeGreaterThan(until)
    })
    expect(socket.sent).toHaveLength(2)
  })
})
