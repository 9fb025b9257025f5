// Job 2: from the venue's bytes to the frame at every subscriber, through the real adapter, book, bus, hub and gateway.
// Venue and subscribers live in this process on one clock; the server is a child. The send time of a change is found by its size.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type WebSocket, WebSocketServer } from 'ws'
import { clientFrame } from '#test/src/gateway/clientFrame'
import type { Bench, BenchResult } from './bench.ts'

const token = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
const market = `0x${'ab'.repeat(32)}`
const hash = 'bf32b3746fff40c76c98021b7f3f07261169dd26'

/** What comes before the changing size in every frame. */
const best = Buffer.from('"bids":[{"price":0.42,"size":')

interface Load {
  messagesPerSecond: number
  subscribers: number
  seconds: number
}

const level = (price: string, size: string) => ({ price, size })
const book = () =>
  JSON.stringify({
    market,
    asset_id: token,
    timestamp: String(Date.now()),
    hash,
    bids: Array.from({ length: 13 }, (_, i) => level(`0.${30 + i}`, '100')),
    asks: Array.from({ length: 13 }, (_, i) => level(`0.${70 - i}`, '100')),
    event_type: 'book',
  })
const change = (size: number): string =>
  `{"market":"${market}","price_changes":[{"asset_id":"${token}","price":"0.42","size":"${size}","side":"BUY","hash":"${hash}","best_bid":"0.42","best_ask":"0.58"}],"timestamp":"${Date.now()}","event_type":"price_change"}`

interface Measured {
  p50Ms: number
  p99Ms: number
  delivered: number
  cpu: number
}

async function measure(program: string, load: Load): Promise<Measured> {
  const venue = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(venue, 'listening')
  const { port } = venue.address() as AddressInfo
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [`ws://127.0.0.1:${port}`], {
    execPath: process.execPath,
  })
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const connected = new Promise<WebSocket>((resolve) => {
      venue.once('connection', (socket) => {
        socket.on('message', (data) => {
          if (String(data).includes('assets_ids')) socket.send(book())
          else if (String(data) === 'PING') socket.send('PONG')
        })
        resolve(socket)
      })
    })
    const clients = await subscribe(url, load.subscribers)
    const upstream = await connected
    await Promise.all(clients.map((client) => client.first))
    const sentAt: number[] = []
    const latencies = new Float64Array(load.messagesPerSecond * load.seconds * load.subscribers)
    let taken = 0
    for (const client of clients) {
      client.onFrames = (chunk) => {
        const at = performance.now()
        for (let found = chunk.indexOf(best); found >= 0; found = chunk.indexOf(best, found + best.length)) {
          let sequence = 0
          for (let i = found + best.length; chunk[i]! >= 48 && chunk[i]! <= 57; i++)
            sequence = sequence * 10 + chunk[i]! - 48
          const sent = sentAt[sequence - 1_000]
          if (sent !== undefined) latencies[taken++] = at - sent
        }
      }
    }
    const before = await cpuOf(child)
    const total = load.messagesPerSecond * load.seconds
    const startedAt = performance.now()
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * load.messagesPerSecond))
        while (sentAt.length < due) {
          const text = change(sentAt.length + 1_000)
          sentAt.push(performance.now())
          upstream.send(text)
        }
        if (sentAt.length < total) return
        clearInterval(timer)
        setTimeout(resolve, 200)
      }, 1)
    })
    const cpu = (await cpuOf(child)) - before
    const sorted = latencies.subarray(0, taken).sort()
    const at = (quantile: number): number => sorted[Math.min(taken - 1, Math.floor(taken * quantile))] ?? Number.NaN
    for (const client of clients) client.socket.destroy()
    return {
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      delivered: taken / (total * load.subscribers),
      cpu: cpu / (load.seconds * 1_000),
    }
  } finally {
    child.kill('SIGKILL')
    venue.close()
    for (const socket of venue.clients) socket.terminate()
  }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpuMs }] = (await once(child, 'message')) as [{ cpuMs: number }]
  return cpuMs
}

const readBuffer = Buffer.alloc(256 * 1024)

interface Subscriber {
  socket: Socket
  first: Promise<void>
  onFrames: (chunk: Buffer) => void
}

/** Bare TCP clients: a WebSocket library would cost more per frame than the server whose time is taken. */
async function subscribe(url: string, count: number): Promise<Subscriber[]> {
  const port = Number(new URL(url).port)
  const op = Buffer.from(
    JSON.stringify({ op: 'subscribe', channel: 'orderbook', venue: 'polymarket', marketId: token }),
  )
  return Promise.all(
    Array.from({ length: count }, async () => {
      let subscriber: Subscriber | null = null
      let first: () => void = () => undefined
      let upgraded: () => void = () => undefined
      const ready = new Promise<void>((resolve) => {
        upgraded = resolve
      })
      // Reads land in one shared buffer: 64 KiB allocated per read would make the collector part of the measurement.
      const callback = (bytes: number, buffer: Uint8Array): boolean => {
        upgraded()
        const chunk = (buffer as Buffer).subarray(0, bytes)
        if (chunk.includes('"data":')) first()
        subscriber?.onFrames(chunk)
        return true
      }
      const socket = connect({ port, host: '127.0.0.1', onread: { buffer: readBuffer, callback } })
      socket.setNoDelay(true)
      socket.write(
        `GET /v1/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nAuthorization: Bearer bench\r\n\r\n`,
      )
      await ready
      const seen = new Promise<void>((resolve) => {
        first = resolve
      })
      subscriber = { socket, first: seen, onFrames: () => undefined }
      socket.write(clientFrame(op))
      return subscriber
    }),
  )
}

const loads: Load[] = [
  { messagesPerSecond: 1_000, subscribers: 10, seconds: 5 },
  { messagesPerSecond: 1_000, subscribers: 100, seconds: 5 },
  { messagesPerSecond: 50_000, subscribers: 10, seconds: 5 },
]

const peer = 'ws + JSON relay'

export const benches: Bench[] = loads.map((load) => {
  const name = `tickToWire.${load.messagesPerSecond}x${load.subscribers}`
  const figure = (
    metric: string,
    unit: string,
    ours: number,
    theirs: number,
    better: 'less' | 'more',
  ): BenchResult => ({
    bench: name,
    metric,
    value: Number(ours.toPrecision(4)),
    unit,
    peer,
    peerValue: Number(theirs.toPrecision(4)),
    ratio: Number((better === 'less' ? theirs / ours : ours / theirs).toPrecision(4)),
  })
  return {
    name,
    async run() {
      const ours = await measure('./tickToWire.server.ts', load)
      const theirs = await measure('./tickToWire.relay.ts', load)
      return [
        figure('venue bytes to subscriber, p50', 'ms', ours.p50Ms, theirs.p50Ms, 'less'),
        figure('venue bytes to subscriber, p99', 'ms', ours.p99Ms, theirs.p99Ms, 'less'),
        figure('delivered unconflated', 'share', ours.delivered, theirs.delivered, 'more'),
        figure('server CPU', 'cores', ours.cpu, theirs.cpu, 'less'),
      ]
    },
  }
})
