// The lab's Socket.IO and Centrifugo with the protocols' own clients, and with ours.
import { Centrifuge, type PublicationContext, UnauthorizedError } from 'centrifuge'
import { io } from 'socket.io-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { centrifugoPublication, centrifugoServer, tokenExpired, unknownChannel } from '#lab/centrifugo'
import { Counters } from '#lab/counters'
import type { Faults } from '#lab/faults'
import type { LabSocket } from '#lab/socket'
import { isSocketIoPath, socketIoEvent, socketIoServer } from '#lab/socketIo'
import { type SocketHandler, startHost } from '#lab/venueServer'
import { openSocket } from '#net/socket'
import { type StreamWorld, streamWorld } from '#test/support/streamFeed'
import { centrifugoSession } from '#venues/shared/socket/centrifugo'
import { eventText, socketIoSession, socketIoUrl } from '#venues/shared/socket/socketIo'

const ignore = (): undefined => undefined
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function listen(open: (socket: LabSocket) => SocketHandler, isSocketPath: (path: string) => boolean) {
  const faults = { wsDelayMs: 0, httpDelayMs: 0, refusesConnections: () => false, httpRefusal: () => null }
  const host = await startHost({
    clock: systemClock,
    counters: new Counters(),
    faults: () => faults as unknown as Faults,
    port: 0,
    sendQueueMaxBytes: undefined,
    routes: [],
    refusalBody: () => null,
    isSocketPath,
    refuseUpgrade: () => null,
    open,
    notFound: () => ({ status: 404, body: null }),
  })
  stops.push(() => host.stop())
  return `127.0.0.1:${host.port}`
}

/** The session on a real socket; its messages are sent as ingest sends them. */
function connect(url: string, world: StreamWorld, wanted: string[]): void {
  const socket = openSocket(
    url,
    {},
    {
      opened: () => void world.session.subscribe(wanted).map((text) => socket.send(text)),
      frame(data) {
        world.session.receive(data, Date.now())
        for (const text of world.sent.splice(0)) socket.send(text)
      },
      closed: (reason) => world.events.push(reason),
    },
  )
  stops.push(() => socket.close())
}

describe('Socket.IO', () => {
  const namespace = '/markets'
  const serve = (options: { pingEveryMs?: number; pongWithinMs?: number } = {}) =>
    listen(
      socketIoServer({
        clock: systemClock,
        namespace,
        ...options,
        refuse: (auth) => ((auth as { key?: string } | undefined)?.key === 'wrong' ? 'no such key' : null),
        open: (socket) => ({
          event(name, args, answer) {
            answer?.('taken', name)
            socket.data(socketIoEvent(namespace, 'said', name, ...args))
          },
          closed: () => undefined,
        }),
      }),
      isSocketIoPath,
    )
  const client = (at: string, options: object = {}) => {
    const made = io(`http://${at}${namespace}`, { transports: ['websocket'], reconnection: false, ...options })
    stops.push(() => made.disconnect())
    return made
  }

  it('accepts the real client, answers it, and keeps it connected with pings', async () => {
    const at = await serve({ pingEveryMs: 20, pongWithinMs: 5_000 })
    const socket = client(at)
    const received: unknown[][] = []
    let pings = 0
    socket.on('said', (...args) => received.push(args))
    socket.io.on('ping', () => pings++)
    await vi.waitFor(() => expect(socket.connected).toBe(true))
    expect(await socket.emitWithAck('ask', { slugs: ['a'] })).toBe('taken')
    await vi.waitFor(() => expect(received).toEqual([['ask', { slugs: ['a'] }]]))
    await vi.waitFor(() => expect(pings).toBeGreaterThan(5))
    expect(socket.connected).toBe(true)
  })

  it('rejects unauthorized clients and unknown namespaces', async () => {
    const at = await serve()
    const words: string[] = []
    client(at, { auth: { key: 'wrong' } }).on('connect_error', ({ message }) => words.push(message))
    await vi.waitFor(() => expect(words).toEqual(['no such key']))
    const other = io(`http://${at}/elsewhere`, { transports: ['websocket'], reconnection: false, forceNew: true })
    stops.push(() => other.disconnect())
    other.on('connect_error', ({ message }) => words.push(message))
    await vi.waitFor(() => expect(words).toEqual(['no such key', 'Invalid namespace']))
  })

  it('disconnects clients that do not answer pings', async () => {
    const at = await serve({ pingEveryMs: 10, pongWithinMs: 10 })
    const ends: string[] = []
    openSocket(socketIoUrl(`ws://${at}`), {}, { opened: ignore, frame: ignore, closed: (reason) => ends.push(reason) })
    await vi.waitFor(() => expect(ends).toEqual(['closed by venue with 1006']))
  })

  it('works with our own client', async () => {
    const at = await serve({ pingEveryMs: 20, pongWithinMs: 5_000 })
    const received: unknown[] = []
    const world = streamWorld('limitless', ['a'], (feed) =>
      socketIoSession(feed, { namespace }, () => ({
        subscribe: (ids) => [eventText(namespace, ['ask', { ids }], 1)],
        unsubscribe: () => [],
        event(name, args) {
          received.push([name, ...args])
          return 'data'
        },
        acknowledged(id, args) {
          received.push([id, ...args])
          return 'control'
        },
      })),
    )
    connect(socketIoUrl(`ws://${at}`), world, ['a'])
    await vi.waitFor(() =>
      expect(received).toEqual([
        [1, 'taken', 'ask'],
        ['said', 'ask', { ids: ['a'] }],
      ]),
    )
    expect(world.events).toEqual([])
  })
})

describe('Centrifugo', () => {
  const path = '/connection/websocket'
  const serve = async (options: { pingEveryMs?: number; token?: string; channelsMax?: number } = {}) => {
    const serverEvents: string[] = []
    const { token, ...rest } = options
    const at = await listen(
      centrifugoServer({
        clock: systemClock,
        ...rest,
        refuse: (shown) => (token === undefined || shown === token ? null : tokenExpired),
        open: (socket) => ({
          subscribe: (channel) => (channel.startsWith('book:') ? null : unknownChannel),
          subscribed: (channel) => socket.data(centrifugoPublication(channel, { first: channel })),
          unsubscribe: (channel) => void serverEvents.push(`left ${channel}`),
          closed: () => void serverEvents.push('closed'),
        }),
      }),
      (requestedPath) => requestedPath === path,
    )
    return { url: `ws://${at}${path}`, serverEvents }
  }
  const client = (url: string, options: object = {}) => {
    const made = new Centrifuge(url, { websocket: WebSocket, ...options })
    stops.push(() => made.disconnect())
    return made
  }

  it('accepts the real client, sends what it subscribed to, and keeps it connected with pings', async () => {
    const { url, serverEvents } = await serve({ pingEveryMs: 1_000 })
    const centrifuge = client(url)
    const states: string[] = []
    centrifuge.on('state', ({ newState }) => states.push(newState))
    centrifuge.connect()
    await centrifuge.ready()
    const received: unknown[] = []
    const subscription = centrifuge.newSubscription('book:a')
    subscription.on('publication', ({ data }: PublicationContext) => received.push(data))
    subscription.subscribe()
    await vi.waitFor(() => expect(received).toEqual([{ first: 'book:a' }]))
    subscription.unsubscribe()
    await vi.waitFor(() => expect(serverEvents).toEqual(['left book:a']))
    await expect(centrifuge.rpc('nothing', {})).rejects.toMatchObject({ code: 104 })
    expect(states).toEqual(['connecting', 'connected'])
  })

  it('rejects unknown channels, too many of them, and a missing token', async () => {
    const { url } = await serve({ channelsMax: 1, token: 'good' })
    let given = 0
    const centrifuge = client(url, {
      token: 'old',
      getToken: async () => {
        if (given++ > 0) throw new UnauthorizedError('no more')
        return 'good'
      },
    })
    centrifuge.connect()
    await centrifuge.ready()
    const codes: number[] = []
    for (const channel of ['none', 'book:a', 'book:b']) {
      const subscription = centrifuge.newSubscription(channel)
      subscription.on('unsubscribed', ({ code }) => codes.push(code))
      subscription.subscribe()
    }
    await vi.waitFor(() => expect(codes).toEqual([102, 106]))
    expect(given).toBe(1)
  })

  it('works with our own client', async () => {
    const { url } = await serve({ pingEveryMs: 20, token: 'good' })
    const received: unknown[] = []
    const world = streamWorld('sxbet', ['a', 'b'], (feed) =>
      centrifugoSession(feed, { name: 'crossbook', token: 'good' }, () => ({
        isUnseeded: true,
        channelsOf: (id) => (id === 'a' ? ['book:a'] : ['none']),
        publication(channel, data) {
          received.push([channel, data])
          return 'data'
        },
      })),
    )
    connect(url, world, ['a', 'b'])
    await vi.waitFor(() => expect(received).toEqual([['book:a', { first: 'book:a' }]]))
    expect(world.events).toEqual(['unseeded a', 'refused b 102 unknown channel'])
  })
})
