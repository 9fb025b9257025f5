// Connections of a venue that answers on them, and of one that gives out a token for each.
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { VenueSockets } from '#actors/ingest/venueSockets'
import { ManualClock } from '#lib/clock'
import type { SocketEvents } from '#net/socket'
import { contextOf } from '#test/support/ingest'
import { row } from '#venues/shared/data/row'
import type { FeedSink, VenueContext, VenueStream } from '#venues/venue'

const Trade = row(z.object({ id: z.string(), side: z.string().nullish() }))

function world(fetchToken?: (context: VenueContext) => Promise<string>) {
  const clock = new ManualClock()
  const opened: { events: SocketEvents; sent: string[]; token: string | undefined }[] = []
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
      const sent: string[] = []
      opened.push({ events, sent, token })
      return { send: (text) => void sent.push(text), bufferedBytes: () => 0, close: () => undefined }
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
  return { sockets, opened, closed, feeds, lost }
}

it('a session answers on its own connection, and on no later one', () => {
  const { sockets, opened, feeds } = world()
  sockets.connect(0)
  opened[0]!.events.opened()
  opened[0]!.events.frame(Buffer.from('ping'))
  expect(opened[0]!.sent).toEqual(['pong'])
  sockets.connect(0)
  feeds[0]!.send('too late')
  expect(opened.map(({ sent }) => sent)).toEqual([['pong'], []])
})

it('a field that a row of a frame lost is counted', () => {
  const { sockets, opened, lost } = world()
  sockets.connect(0)
  opened[0]!.events.opened()
  for (const side of ['"buy"', 'null', '7']) opened[0]!.events.frame(Buffer.from(`{"id":"1","side":${side}}`))
  expect(lost).toEqual(['side'])
})

it('each connection has a token of its own', async () => {
  let given = 0
  const { sockets, opened } = world(async () => `token ${++given}`)
  sockets.connect(0)
  await vi.waitFor(() => expect(opened.map(({ token }) => token)).toEqual(['token 1']))
  sockets.connect(0)
  await vi.waitFor(() => expect(opened.map(({ token }) => token)).toEqual(['token 1', 'token 2']))
})

it('a token that is not given is a connection that failed; one that comes too late opens nothing', async () => {
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
