// Connections of a venue that sends responses on them, and of a venue that needs a token for each connection.
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { VenueSockets } from '#actors/ingest/venueSockets'
import { ManualClock } from '#core/clock'
import type { SocketEvents } from '#net/socket'
import { contextOf } from '#test/support/ingest'
import { row } from '#venues/shared/data/row'
import type { FeedSink, VenueStream } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const Trade = row(z.object({ id: z.string(), side: z.string().nullish() }))

function world(fetchToken?: (context: VenueContext) => Promise<string>) {
  const clock = new ManualClock()
  const opened: { events: SocketEvents; sent: string[]; token: string | undefined; isClosed: boolean }[] = []
  const closed: string[] = []
  const lost: string[] = []
  const feeds: FeedSink[] = []
  let token: string | undefined
  const stream: VenueStream = {
    ...(fetchToken === undefined ? {} : { fetchToken }),
    connect: (_context, given) => ({ url: `ws://nowhere/${given ?? ''}`, headers: {} }),
    booksPerSocket: 10,
    silenceMs: 15_000,
    stalenessMaxMs: 15_000,
    heartbeat: null,
    resyncInBand: false,
    firehose: false,
    open(feed, given) {
      token = given
      return {
        subscribe: (ids) => ids.map((id) => `want ${id}`),
        unsubscribe: () => [],
        resync: () => null,
        confirm: () => null,
        feeds: () => false,
        delivers: () => false,
        receive(frame) {
          if (frame.toString() === 'ping') feed.send('pong')
          if (frame.toString() === 'data') return true
          if (frame.toString().startsWith('{')) Trade.parse(JSON.parse(frame.toString()))
          return false
        },
      }
    },
  }
  const sockets = new VenueSockets({
    stream,
    context: { ...contextOf('sxbet', clock), lostField: (field) => lost.push(field) },
    openSocket(_url, _headers, events) {
      const one = { events, sent: [] as string[], token, isClosed: false }
      opened.push(one)
      const close = (): void => {
        one.isClosed = true
      }
      return { send: (text) => void one.sent.push(text), bufferedBytes: () => 0, close }
    },
    clock,
    random: () => 0.5,
    feed(_shard, send) {
      const feed = { send } as FeedSink
      feeds.push(feed)
      return feed
    },
    onOpened: () => undefined,
    onClosed: (_shard, reason) => closed.push(reason),
    onTrusted: () => undefined,
    onDelivering: () => undefined,
    onRetry: () => undefined,
    onResyncDue: () => undefined,
  })
  return { sockets, opened, closed, feeds, lost, clock }
}

it('sends a session’s response on its own connection, and on no later one', () => {
  const { sockets, opened, feeds } = world()
  sockets.connect(0)
  opened[0]!.events.opened()
  opened[0]!.events.frame(Buffer.from('ping'))
  expect(opened[0]!.sent).toEqual(['pong'])
  sockets.connect(0)
  feeds[0]!.send('too late')
  expect(opened.map(({ sent }) => sent)).toEqual([['pong'], []])
})

it('counts a field that a row of a frame lost', () => {
  const { sockets, opened, lost } = world()
  sockets.connect(0)
  opened[0]!.events.opened()
  for (const side of ['"buy"', 'null', '7']) opened[0]!.events.frame(Buffer.from(`{"id":"1","side":${side}}`))
  expect(lost).toEqual(['side'])
})

it('uses a new token for each connection', async () => {
  let given = 0
  const { sockets, opened } = world(async () => `token ${++given}`)
  sockets.connect(0)
  await vi.waitFor(() => expect(opened.map(({ token }) => token)).toEqual(['token 1']))
  sockets.connect(0)
  await vi.waitFor(() => expect(opened.map(({ token }) => token)).toEqual(['token 1', 'token 2']))
})

it('treats a missing token as a failed connection, and opens nothing for a late one', async () => {
  const answers: { resolve(token: string): void; reject(error: Error): void }[] = []
  const { sockets, opened, closed } = world(() => new Promise((resolve, reject) => answers.push({ resolve, reject })))
  sockets.connect(0)
  answers[0]!.reject(new Error('no such key'))
  await vi.waitFor(() => expect(closed).toEqual(['no such key']))
  sockets.connect(0)
  sockets.disconnect(0)
  answers[1]!.resolve('late')
  sockets.connect(0)
  answers[2]!.resolve('in time')
  await vi.waitFor(() => expect(opened.map(({ token }) => token)).toEqual(['in time']))
})

describe('a connection that its venue will soon close', () => {
  function draining() {
    const made = world()
    made.sockets.connect(0)
    made.opened[0]!.events.opened()
    made.sockets.subscribe(0, ['a', 'b'])
    made.sockets.succeed(0)
    return made
  }

  it('gets a second one with the same books, which takes over when the first ends', () => {
    const { sockets, opened, closed } = draining()
    const [before, next] = [opened[0]!, opened[1]!]
    expect(next.sent).toEqual([])
    next.events.opened()
    expect(next.sent).toEqual(['want a', 'want b'])
    sockets.subscribe(0, ['c'])
    expect([before.sent.at(-1), next.sent.at(-1)]).toEqual(['want c', 'want c'])
    next.events.frame(Buffer.from('ping'))
    expect(next.sent.at(-1)).toBe('pong')
    next.events.frame(Buffer.from('data'))
    before.events.closed('1001')
    expect(closed).toEqual([])
    expect([sockets.open, sockets.delivers(0, null)]).toEqual([1, true])
    sockets.subscribe(0, ['d'])
    expect([before.sent.includes('want d'), next.sent.at(-1)]).toEqual([false, 'want d'])
    next.events.closed('gone')
    expect(closed).toEqual(['gone'])
  })

  it('is treated as closed when the second is not open yet', () => {
    const { opened, closed } = draining()
    opened[0]!.events.closed('1001')
    expect([closed, opened[1]!.isClosed]).toEqual([['1001'], true])
  })

  it('continues alone when the second is refused', () => {
    const { sockets, opened, closed } = draining()
    opened[1]!.events.closed('refused')
    expect([closed, sockets.open]).toEqual([[], 1])
    sockets.succeed(0)
    expect(opened).toHaveLength(3)
  })

  it('is replaced after a minute if it has not ended', () => {
    const { opened, closed, clock } = draining()
    opened[1]!.events.opened()
    clock.advance(59_999)
    expect(opened[0]!.isClosed).toBe(false)
    clock.advance(1)
    expect([opened[0]!.isClosed, closed]).toEqual([true, []])
  })

  it('has at most one successor, and none after it was given up', () => {
    const { sockets, opened } = draining()
    sockets.succeed(0)
    expect(opened).toHaveLength(2)
    sockets.disconnect(0)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
    sockets.succeed(0)
    expect(opened).toHaveLength(2)
  })
})
