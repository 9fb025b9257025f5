// Our side of Socket.IO against its own server: the handshake, pings, events and acknowledgements; and unrelated frames.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, expect, it, vi } from 'vitest'
import { type ClientSocket, openSocket } from '#net/socket'
import { type StreamWorld, streamWorld } from '#test/support/streamFeed'
import { eventText, socketIoSession, socketIoUrl } from '#venues/shared/socket/socketIo'
import type { FeedSink, StreamSession } from '#venues/venue'

const namespace = '/markets'
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Each call lists everything wanted, like at limitless. */
const open =
  (auth?: Record<string, unknown>) =>
  (feed: FeedSink): StreamSession =>
    socketIoSession(feed, auth === undefined ? { namespace } : { namespace, auth }, (books) => ({
      subscribe: () => [eventText(namespace, ['subscribe', { slugs: books.ids }], 7)],
      unsubscribe: () => [eventText(namespace, ['subscribe', { slugs: books.ids }])],
      event(name, [book], recvTs) {
        if (name !== 'book') return { malformed: name }
        const { slug, size } = book as { slug: string; size: number }
        books.whole(slug, { bids: [[400_000, size]], asks: [], eventTs: null }, recvTs)
        return 'data'
      },
      acknowledged(id, args) {
        for (const bookId of args[0] as string[]) books.acknowledged(bookId)
        return id === 7 ? 'control' : { malformed: 'another id' }
      },
    }))

/** The session on a real socket; its output is sent like in ingest. */
async function connected(url: string, world: StreamWorld, wanted: string[]) {
  const ends: string[] = []
  const socket: ClientSocket = openSocket(
    url,
    {},
    {
      opened: () => void world.session.subscribe(wanted).map((text) => socket.send(text)),
      frame(data) {
        world.session.receive(data, Date.now())
        for (const text of world.sent.splice(0)) socket.send(text)
      },
      closed: (reason) => ends.push(reason),
    },
  )
  stops.push(() => socket.close())
  return { socket, ends }
}

async function realServer(options: { pingInterval?: number; pingTimeout?: number } = {}) {
  const http = createServer()
  const io = new Server(http, options)
  const subscriptions: unknown[] = []
  const auths: unknown[] = []
  io.of(namespace).on('connection', (client) => {
    auths.push(client.handshake.auth)
    client.on('subscribe', (wanted: { slugs: string[] }, answer?: (slugs: string[]) => void) => {
      subscriptions.push(wanted)
      answer?.(wanted.slugs)
      for (const slug of wanted.slugs) client.emit('book', { slug, size: 5 })
    })
  })
  io.of('/closed').use((_client, next) => next(new Error('not allowed')))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  stops.push(() => io.close())
  return { io, subscriptions, auths, url: socketIoUrl(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`) }
}

it('joins a namespace of the real server, subscribes once joined, and reads events', async () => {
  const server = await realServer()
  const world = streamWorld('limitless', ['a', 'b'], open({ key: 'k' }))
  const { socket } = await connected(server.url, world, ['a'])
  await vi.waitFor(() => expect(world.levels('a')).toEqual({ bids: [[400_000, 5]], asks: [] }))
  expect(server.auths).toEqual([{ key: 'k' }])
  for (const text of world.session.subscribe(['b'])) socket.send(text)
  await vi.waitFor(() => expect(world.levels('b')).not.toBeNull())
  for (const text of world.session.unsubscribe(['a'])) socket.send(text)
  await vi.waitFor(() =>
    expect(server.subscriptions).toEqual([{ slugs: ['a'] }, { slugs: ['a', 'b'] }, { slugs: ['b'] }]),
  )
  expect([world.session.feeds('b'), world.events]).toEqual([true, []])
})

it('answers the pings of the real server, which closes connections without answers', async () => {
  const { io, url } = await realServer({ pingInterval: 20, pingTimeout: 5_000 })
  const world = streamWorld('limitless', ['a'], open())
  const { ends } = await connected(url, world, ['a'])
  await vi.waitFor(() => expect(world.levels('a')).not.toBeNull())
  let pings = 0
  const receive = world.session.receive.bind(world.session)
  world.session.receive = (frame, at) => {
    if (frame.toString() === '2') pings++
    return receive(frame, at)
  }
  await vi.waitFor(() => expect(pings).toBeGreaterThan(20), { timeout: 10_000 })
  expect([ends, io.engine.clientsCount]).toEqual([[], 1])
})

it('reports when the venue refuses it or disconnects it', async () => {
  const { io, url } = await realServer()
  const refused = streamWorld('limitless', ['a'], (feed) =>
    socketIoSession(feed, { namespace: '/closed' }, () => ({
      subscribe: () => [],
      unsubscribe: () => [],
      event: () => 'data',
    })),
  )
  await connected(url, refused, ['a'])
  await vi.waitFor(() => expect(refused.events).toEqual(['failed the venue refused the namespace: not allowed']))
  const left = streamWorld('limitless', ['a'], open())
  await connected(url, left, ['a'])
  await vi.waitFor(() => expect(left.levels('a')).not.toBeNull())
  io.of(namespace).disconnectSockets(false)
  await vi.waitFor(() => expect(left.events).toEqual(['failed the venue left the namespace']))
})

it('holds subscriptions back until it has joined, and drops those cancelled meanwhile', () => {
  const world = streamWorld('limitless', ['a', 'b'], open())
  expect(world.session.subscribe(['a', 'b'])).toEqual([])
  expect(world.session.unsubscribe(['a'])).toEqual([])
  expect(world.receive('0{"sid":"x","upgrades":[],"pingInterval":25000,"pingTimeout":20000}')).toBe(false)
  expect(world.sent.splice(0)).toEqual(['40/markets,'])
  world.receive('40/markets,{"sid":"y"}')
  expect(world.sent.splice(0)).toEqual(['42/markets,7["subscribe",{"slugs":["b"]}]'])
  expect(world.receive('42/markets,["book",{"slug":"b","size":3}]')).toBe(true)
  expect(world.receive('2probe')).toBe(false)
  expect([world.sent, world.events]).toEqual([['3probe'], []])
})

it.each([
  '',
  '9',
  '4',
  '42["book",{}]',
  '42/other,["book",{}]',
  '42/markets,{"book":1}',
  '42/markets,[',
  '43/markets,[1]',
  '45/markets,1-["book",{"_placeholder":true,"num":0}]',
  '{"an":"object"}',
])('counts %j as malformed', (frame) => {
  const world = streamWorld('limitless', ['a'], open())
  world.session.subscribe(['a'])
  expect(world.receive(frame)).toBe(false)
  expect(world.events).toHaveLength(1)
  expect(world.events[0]).toMatch(/^malformed/)
})
