// The lab of Binance's public market data: 24-hour windows over REST and on the stream, with its connection rules.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '#core/clock'
import { type CounterSnapshot, Counters } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { Faults } from '../faults.ts'
import { httpFaults } from '../httpFaults.ts'
import type { LabSocket } from '../socket.ts'
import { type LabReply, type LabRoute, ok, type SocketHandler, startHost } from '../venueServer.ts'
import { restWindow, streamWindow } from './binanceRows.ts'
import { assets, type LabPrices } from './prices.ts'

export interface BinanceLab {
  urls: { REST: string; WS: string }
  faults: Faults
  /** Without markets: faults require one. */
  engine: Engine
  counters(): CounterSnapshot
  /** The pair is unknown from now on, like a foreign or discontinued one. */
  delist(id: string): void
  /** From now on windows end this long before now, ms. */
  lagMs: number
  /** The server announces that it is about to shut down. */
  shutDown(): void
  stop(): Promise<void>
}

export interface FeedLabOptions {
  clock: Clock
  seed: string
  port: number
  prices: LabPrices
}

const publishIntervalMs = 1_000
const messagesPerSecondMax = 5
const streamsMax = 1_024
const ids = new Map(
  assets.filter((asset) => !['EUR', 'XAU', 'HYPE'].includes(asset)).map((asset) => [`${asset}USDT`, asset]),
)

const refused = (status: number, code: number, msg: string): LabReply => ({ status, body: { code, msg } })
const invalid = refused(400, -1121, 'Invalid symbol.')

export async function startBinanceLab({ clock, seed, port, prices }: FeedLabOptions): Promise<BinanceLab> {
  const counters = new Counters()
  const listed = new Map(ids)
  const streamsBySocket = new Map<LabSocket, Set<string>>()
  const { engine, faults, ...bare }: ReturnType<typeof httpFaults> = httpFaults({ clock, seed }, () => host.sockets)
  const host = await startHost({
    clock,
    counters,
    faults: () => faults,
    port,
    sendQueueMaxBytes: undefined,
    routes: routes(),
    refusalBody: (status) =>
      refused(status, status === 429 || status === 418 ? -1003 : -1000, 'Too many requests.').body,
    isSocketPath: (path) => path === '/stream',
    refuseUpgrade: () => null,
    open,
    notFound: () => refused(404, -1000, 'Not found.'),
  })
  const windowOf = (id: string): object => streamWindow(id, prices.day(listed.get(id)!), clock.now() - lab.lagMs)
  const timer = clock.every(publishIntervalMs, () => {
    for (const [socket, streams] of streamsBySocket) {
      for (const stream of streams) {
        const id = stream.split('@')[0]!.toUpperCase()
        if (listed.has(id))
          socket.data(JSON.stringify({ stream, data: windowOf(id) }), faults.isMuted('') ? 'drop' : 'send')
      }
    }
  })

  function routes(): LabRoute[] {
    const window = (id: string): object => restWindow(id, prices.day(listed.get(id)!), clock.now() - lab.lagMs)
    return [
      {
        method: 'GET',
        path: '/api/v3/ticker/24hr',
        handle({ query }) {
          const symbol = query.get('symbol')
          if (symbol !== null) return listed.has(symbol) ? ok(window(symbol)) : invalid
          const many = query.get('symbols')
          const requestedIds = many === null ? [...listed.keys()] : (JSON.parse(many) as string[])
          return requestedIds.every((id) => listed.has(id)) ? ok(requestedIds.map(window)) : invalid
        },
      },
      { method: 'GET', path: '/api/v3/time', handle: () => ok({ serverTime: clock.now() }) },
    ]
  }

  function open(socket: LabSocket, request: IncomingMessage): SocketHandler {
    const requestedStreams = new URL(request.url ?? '/', 'http://lab').searchParams.get('streams') ?? ''
    const streams = new Set<string>()
    let second = 0
    let messages = 0
    const change = (by: 1 | -1, stream: string): void => {
      if (by === 1 ? streams.has(stream) : !streams.delete(stream)) return
      if (by === 1) streams.add(stream)
      counters.subscribed(stream, by)
    }
    for (const stream of requestedStreams.split('/').filter(Boolean)) change(1, stream)
    streamsBySocket.set(socket, streams)
    return {
      message(text) {
        const now = Math.floor(clock.now() / 1_000)
        messages = now === second ? messages + 1 : 1
        second = now
        if (messages > messagesPerSecondMax) return socket.close(1008, 'Too many requests')
        const { method, params = [], id } = JSON.parse(text) as { method?: string; params?: string[]; id?: number }
        if (method !== 'SUBSCRIBE' && method !== 'UNSUBSCRIBE')
          return socket.control(JSON.stringify({ error: { code: 2, msg: 'Invalid request: unknown variant' }, id }))
        if (method === 'SUBSCRIBE' && streams.size + params.length > streamsMax)
          return socket.close(1008, 'Too many streams')
        for (const stream of params) change(method === 'SUBSCRIBE' ? 1 : -1, stream)
        socket.control(JSON.stringify({ result: null, id }))
      },
      closed() {
        streamsBySocket.delete(socket)
        for (const stream of [...streams]) change(-1, stream)
      },
    }
  }

  const lab: BinanceLab = {
    urls: { REST: `http://127.0.0.1:${host.port}`, WS: `ws://127.0.0.1:${host.port}` },
    faults,
    engine,
    counters: () => counters.snapshot(),
    delist: (id) => void listed.delete(id),
    lagMs: 0,
    shutDown() {
      for (const socket of host.sockets) socket.control(JSON.stringify({ e: 'serverShutdown', E: clock.now() }))
    },
    async stop() {
      timer.cancel()
      bare.stop()
      await host.stop()
    },
  }
  return lab
}
