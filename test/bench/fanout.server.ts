// Child process of the fan-out and HTTP benches: one kind of server, driven by its parent; reports the CPU time of its work.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { WebSocketServer } from 'ws'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { generateKey, hashKey } from '#platform/auth/keys'
import { createKeyVerifier } from '#platform/auth/verifier'
import { startGateway } from '#server/gateway/gateway'
import { App, us_socket_local_port, type WebSocket } from '#server/gateway/uws'
import { startStream } from '#stream/server'
import { bookUpdate, KeyStore, MemoryBus, principal, testCatalog } from '../src/stream/support.ts'

export type ServerKind = 'ws' | 'uws' | 'hub' | 'gateway' | 'fastify'
export type ServerOrder = { kind: 'run'; ticks: number; framesPerTick: number; pauseMs: number } | { kind: 'cpu' }
export interface ServerReport {
  port?: number
  key?: string
  /** User and system time since the last report, microseconds. */
  cpuUs?: number
  done?: boolean
}

/** Levels besides the first: makes frames of about 0.9 KB, the size of a book of 13 + 13 levels. */
const padding = 26
const frameOf = (seq: number, market: number): Buffer => {
  const { core } = bookUpdate(`m${market}`, seq, {}, padding)
  return Buffer.from(`{"type":"update","venue":"test","marketId":"m${market}","ts":1790000000000,"data":${core}}}`)
}

/** Sends `framesPerTick` frames to every socket. */
type Tick = (seq: number, framesPerTick: number) => void

let port: number
let key: string | undefined
let tick: Tick = () => undefined

switch (process.argv[2] as ServerKind) {
  case 'ws': {
    const http = createServer()
    const server = new WebSocketServer({ server: http, perMessageDeflate: false })
    tick = (seq, framesPerTick) => {
      for (let market = 0; market < framesPerTick; market++) {
        const frame = frameOf(seq, market)
        for (const socket of server.clients) socket.send(frame, { binary: false })
      }
    }
    port = await new Promise((resolve) => {
      http.listen(0, '127.0.0.1', () => resolve((http.address() as AddressInfo).port))
    })
    break
  }
  case 'uws': {
    const sockets = new Set<WebSocket<unknown>>()
    const app = App()
    app.ws('/*', {
      maxBackpressure: 1 << 24,
      open: (ws) => void sockets.add(ws),
      close: (ws) => void sockets.delete(ws),
    })
    tick = (seq, framesPerTick) => {
      const frames = Array.from({ length: framesPerTick }, (_, market) => frameOf(seq, market))
      for (const ws of sockets) {
        ws.cork(() => {
          for (const frame of frames) ws.send(frame, false, false)
        })
      }
    }
    port = await new Promise((resolve) => {
      app.listen('127.0.0.1', 0, (listening) => resolve(us_socket_local_port(listening || {})))
    })
    break
  }
  case 'hub': {
    const bus = new MemoryBus()
    const auth = new KeyStore()
    auth.keys.set('good', principal())
    const stream = await startStream({
      bus,
      clock: systemClock,
      log: silentLog,
      auth,
      catalog: testCatalog,
      books: { get: () => undefined },
      limitsOf: () => ({ subscriptionsPerConnection: 1_000, streamConnections: 100_000 }),
      gatewayId: 'bench',
    })
    const gateway = await startGateway({
      host: '127.0.0.1',
      port: 0,
      http: () => ({ status: 200, headers: {}, body: '' }),
      stream,
    })
    tick = (seq, framesPerTick) => {
      for (let market = 0; market < framesPerTick; market++) bus.book(bookUpdate(`m${market}`, seq, {}, padding))
      stream.flush()
    }
    port = gateway.port
    break
  }
  case 'gateway':
  case 'fastify': {
    const apiKey = generateKey()
    key = apiKey
    const stored = { sha256: Buffer.from(hashKey(apiKey), 'hex'), principal: principal(), live: true }
    const verifier = createKeyVerifier({ find: async () => stored, clock: systemClock })
    await verifier.verify(apiKey)
    const { core } = bookUpdate('m', 1, {}, padding)
    const body = Buffer.from(`{"success":true,"data":${core}}}`)
    const valid = (authorization: string | undefined): boolean => {
      const verdict = verifier.verify(authorization?.slice(7) ?? '')
      return !(verdict instanceof Promise) && verdict.kind === 'valid'
    }
    // A revalidation after cacheMs would be asynchronous; cacheMs is ten seconds, longer than a round.
    const again = setInterval(() => void verifier.verify(apiKey), 5_000)
    again.unref()
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    if (process.argv[2] === 'gateway') {
      const stream = {
        open: () => ({ message: () => undefined, drained: () => undefined, closed: () => undefined }),
        stop: async () => undefined,
      }
      const gateway = await startGateway({
        host: '127.0.0.1',
        port: 0,
        stream,
        http: (call) =>
          valid(call.headers.authorization) ? { status: 200, headers, body } : { status: 401, headers, body: '{}' },
      })
      port = gateway.port
    } else {
      const app = fastify()
      app.get('/api/test/fetchOrderBook', (request, reply) => {
        if (!valid(request.headers.authorization)) return reply.code(401).send('{}')
        return reply.header('content-type', headers['content-type']).send(body)
      })
      await app.listen({ host: '127.0.0.1', port: 0 })
      port = (app.server.address() as AddressInfo).port
    }
    break
  }
  default:
    throw new Error(`no such server: ${process.argv[2]}`)
}

let cpu = process.cpuUsage()
const sendReport = (report: ServerReport): void => void process.send!(report)
const cpuUs = (): number => {
  const { user, system } = process.cpuUsage(cpu)
  cpu = process.cpuUsage()
  return user + system
}

let seq = 0
process.on('message', async (order: ServerOrder) => {
  if (order.kind === 'cpu') {
    sendReport({ cpuUs: cpuUs() })
    return
  }
  cpuUs()
  for (let i = 0; i < order.ticks; i++) {
    tick(++seq, order.framesPerTick)
    // Gives the readers time: the bench measures frames that arrive, so no reader may fall behind.
    await new Promise((resolve) => setTimeout(resolve, order.pauseMs))
  }
  sendReport({ done: true, cpuUs: cpuUs() })
})
sendReport({ port, key })
