// A venue that was unavailable for a while: the first connection that works again triggers retries of the others.
import { afterEach, describe, expect, it } from 'vitest'
import { type StreamedVenue, streamedVenue } from './streamedVenue.ts'

const venues: StreamedVenue[] = []
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop()
})

const bookIds = Array.from({ length: 12 }, (_, i) => `b${i}`)

describe.each(['refuses', 'hangs'] as const)('a venue that %s connections', (how) => {
  it('has all its sockets back within five seconds after it accepts them again, and soon after the first', async () => {
    let isAway = false
    const venue = await streamedVenue({ booksPerSocket: 1, admits: () => (isAway ? how : 'opens') })
    venues.push(venue)
    const { clock, ingest, sockets } = venue
    /** The venue sends the book on every connection that requests it. */
    const greet = (): void => {
      for (const socket of venue.open()) {
        const bookId = socket.sent.at(-1)?.match(/^subscribe (.+)$/)?.[1]
        if (bookId === undefined) continue
        socket.sent.push('greeted')
        socket.deliver({ kind: 'book', bookId, bidSize: 1, ts: clock.now() })
      }
    }
    const live = (): number => bookIds.filter((bookId) => venue.newest(bookId) === 'live').length
    for (const bookId of bookIds) venue.rest.set(bookId, 1)
    ingest.actor.send({ kind: 'pin', bookIds })
    await venue.eventually(() => {
      greet()
      expect(live()).toBe(bookIds.length)
    })

    isAway = true
    for (const socket of venue.open()) {
      socket.close('gone')
      clock.advance(300)
    }
    const goneUntil = clock.now() + 60_000
    await venue.eventually(() => {
      clock.advance(200)
      expect(clock.now()).toBeGreaterThan(goneUntil)
    })
    expect(live()).toBe(0)
    // Each is retried every few seconds, whatever happens to it.
    expect(sockets.length).toBeGreaterThan(bookIds.length * 10)
    expect(sockets.length).toBeLessThan(bookIds.length * 30)

    isAway = false
    const backAt = clock.now()
    let firstAt: number | null = null
    await venue.eventually(() => {
      clock.advance(10)
      greet()
      if (live() > 0) firstAt ??= clock.now()
      expect(live()).toBe(bookIds.length)
    })
    expect(clock.now() - backAt).toBeLessThanOrEqual(5_000)
    expect(clock.now() - firstAt!).toBeLessThanOrEqual(1_500)
  })
})

it('does not retry a venue more often that accepts connections and closes them again', async () => {
  const venue = await streamedVenue({ booksPerSocket: 1 })
  venues.push(venue)
  const { clock, ingest, sockets } = venue
  ingest.actor.send({ kind: 'pin', bookIds })
  const until = clock.now() + 60_000
  await venue.eventually(() => {
    clock.advance(200)
    for (const socket of venue.open()) if (socket.sent.length > 0) socket.close('bye')
    expect(clock.now()).toBeGreaterThan(until)
  })
  expect(sockets.length).toBeLessThan(bookIds.length * 30)
})
