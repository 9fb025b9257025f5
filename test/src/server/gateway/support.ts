// A real gateway with a real stream behind it, and clients: `ws`, and raw TCP for what a well-behaved client never does.
import { connect as connectTcp, type Socket } from 'node:net'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Clock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { isStreamChannel } from '#schemas/stream'
import { ServerFrame } from '#schemas/streamFrames'
import type { BookUpdate } from '#schemas/topics'
import { type Gateway, startGateway } from '#server/gateway/gateway'
import type { HttpHandler, TraitsOf } from '#server/http/contract'
import { olderStream } from '#stream/pmxt/server'
import { type Stream, type StreamOptions, startStream } from '#stream/server'
import { type Frame, KeyStore, MemoryBus, principal, testCatalog } from '../../stream/support.ts'
import { clientFrame } from './clientFrame.ts'

export interface TestServer {
  gateway: Gateway
  stream: Stream
  bus: MemoryBus
  keys: KeyStore
  books: Map<string, BookUpdate>
  /** ws://…/v1/stream */
  url: string
  stop(): Promise<void>
}

export async function startServer(
  over: Partial<StreamOptions> & {
    http?: HttpHandler
    traitsOf?: TraitsOf
    gatewayClock?: Clock
    withOlder?: boolean
  } = {},
): Promise<TestServer> {
  const {
    http = () => ({ status: 200, headers: {}, body: 'ok' }),
    traitsOf,
    gatewayClock,
    withOlder = false,
    ...stream
  } = over
  const bus = new MemoryBus()
  const keys = new KeyStore()
  keys.keys.set('good', principal())
  const books = new Map<string, BookUpdate>()
  const clock: Clock = over.clock ?? systemClock
  const running = await startStream({
    bus,
    clock,
    log: silentLog,
    auth: keys,
    catalog: testCatalog,
    books: { get: (venue, marketId) => books.get(`${venue}:${marketId}`) },
    limitsOf: () => ({ subscriptionsPerConnection: 100, streamConnections: 5_000 }),
    gatewayId: 'gateway-1',
    ...stream,
  })
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    http,
    stream: running,
    olderStream: withOlder ? olderStream(running, clock) : undefined,
    clock: gatewayClock,
    ...(traitsOf === undefined ? {} : { traitsOf }),
  })
  const url = `ws://127.0.0.1:${gateway.port}/v1/stream`
  return { gateway, stream: running, bus, keys, books, url, stop: () => gateway.stop() }
}

/** Every frame must match the document; throws otherwise. Channels plugged in by a test have frames of their own. */
function ofContract(frame: Frame): Frame {
  if (isStreamChannel(frame.type)) return frame
  const { error } = ServerFrame.safeParse(frame)
  if (error !== undefined) throw new Error(`not a frame of the contract: ${JSON.stringify(frame)}: ${error.message}`)
  return frame
}

/** A `ws` client that keeps every frame. */
export class Client {
  readonly frames: Frame[] = []
  readonly ws: WebSocket
  closeCode: number | null = null

  constructor(url: string, key: string | null = 'good') {
    this.ws = new WebSocket(url, key === null ? {} : { headers: { authorization: `Bearer ${key}` } })
    this.ws.on('message', (data) => this.frames.push(ofContract(JSON.parse(String(data)))))
    this.ws.on('close', (code) => {
      this.closeCode = code
    })
    this.ws.on('error', () => {
      this.closeCode ??= -1
    })
  }

  static async open(url: string, key: string | null = 'good'): Promise<Client> {
    const client = new Client(url, key)
    await client.opened()
    return client
  }

  async opened(): Promise<void> {
    if (this.ws.readyState === WebSocket.OPEN) return
    await new Promise<void>((resolve, reject) => {
      this.ws.once('open', resolve)
      this.ws.once('error', reject)
    })
  }

  send(op: unknown): void {
    this.ws.send(typeof op === 'string' ? op : JSON.stringify(op))
  }

  subscribe(marketId: string, channel = 'orderbook', venue = 'test'): void {
    this.send({ op: 'subscribe', channel, venue, marketId })
  }

  unsubscribe(marketId: string, channel = 'orderbook', venue = 'test'): void {
    this.send({ op: 'unsubscribe', channel, venue, marketId })
  }

  /** Waits for a matching frame. */
  async frame(fits: (frame: Frame) => boolean): Promise<Frame> {
    return vi.waitFor(
      () => {
        const found = this.frames.find(fits)
        expect(found, `among ${JSON.stringify(this.frames.slice(-5))}`).toBeDefined()
        return found!
      },
      { timeout: 25_000, interval: 5 },
    )
  }

  async count(frames: number): Promise<void> {
    await vi.waitFor(() => expect(this.frames.length).toBeGreaterThanOrEqual(frames), { timeout: 25_000, interval: 5 })
  }

  async ended(): Promise<number> {
    return vi.waitFor(
      () => {
        expect(this.closeCode).not.toBeNull()
        return this.closeCode!
      },
      { timeout: 20_000, interval: 5 },
    )
  }

  close(): void {
    this.ws.terminate()
  }
}

/** A hand-written WebSocket that controls when it reads and what it writes. It answers pings: sockets silent for two minutes are closed. */
export class RawSocket {
  readonly tcp: Socket
  readonly frames: string[] = []
  /** Text frames seen; `frames` keeps them only while `keep` is set. */
  frameCount = 0
  keep = true
  /** Close code of the server's close frame. */
  closeCode: number | null = null
  closed = false
  head = ''
  bytesRead = 0
  private pending: Buffer = Buffer.alloc(0)

  constructor(port: number, headers: readonly string[] = ['Authorization: Bearer good'], send = true) {
    this.tcp = connectTcp({ port, host: '127.0.0.1' })
    this.tcp.setNoDelay(true)
    this.tcp.on('data', (chunk) => this.take(chunk))
    this.tcp.on('error', () => undefined)
    this.tcp.on('close', () => {
      this.closed = true
    })
    if (send) {
      const lines = [
        'GET /v1/stream HTTP/1.1',
        'Host: localhost',
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
        ...headers,
      ]
      this.tcp.write(`${lines.join('\r\n')}\r\n\r\n`)
    }
  }

  async upgraded(): Promise<this> {
    await vi.waitFor(() => expect(this.head).toContain(' 101 '), { timeout: 25_000, interval: 2 })
    return this
  }

  send(op: unknown): void {
    this.tcp.write(clientFrame(Buffer.from(JSON.stringify(op))))
  }

  private take(chunk: Buffer): void {
    this.bytesRead += chunk.length
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    if (this.head === '') {
      const end = this.pending.indexOf('\r\n\r\n')
      if (end < 0) return
      this.head = this.pending.subarray(0, end).toString('latin1')
      this.pending = this.pending.subarray(end + 4)
    }
    if (!this.head.includes(' 101 ')) return
    let at = 0
    while (at + 2 <= this.pending.length) {
      const short = this.pending[at + 1]! & 0x7f
      const headBytes = short === 126 ? 4 : short === 127 ? 10 : 2
      if (at + headBytes > this.pending.length) break
      const length =
        short === 126
          ? this.pending.readUInt16BE(at + 2)
          : short === 127
            ? Number(this.pending.readBigUInt64BE(at + 2))
            : short
      if (at + headBytes + length > this.pending.length) break
      const opcode = this.pending[at]! & 0x0f
      const payload = this.pending.subarray(at + headBytes, at + headBytes + length)
      if (opcode === 1) {
        this.frameCount++
        if (this.keep) this.frames.push(payload.toString())
      }
      if (opcode === 9 && this.tcp.writable) this.tcp.write(clientFrame(payload, { opcode: 10 }))
      if (opcode === 8) this.closeCode = length >= 2 ? payload.readUInt16BE(0) : 1005
      at += headBytes + length
    }
    this.pending = this.pending.subarray(at)
  }
}
