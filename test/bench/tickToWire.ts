// Job 2: from the venue's bytes to the frame at every subscriber, through the real adapter, book, bus, hub and gateway.
// Venue and subscribers live in this process on one clock; the server is a child. The send time of a change is found by its size.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'
import type { Bench, BenchResult } from './bench.ts'

const token = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
const market = `0x${'ab'.repeat(32)}`
const hash = 'bf32b3746fff40c76c98021b7f3f07261169dd26'

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

async function measure(load: Load): Promise<{ p50Ms: number; p99Ms: number; delivered: number; cpu: number }> {
  const venue = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(venue, 'listening')
  const { port } = venue.address() as AddressInfo
  const child = fork(fileURLToPath(new URL('./tickToWire.server.ts', import.meta.url)), [`ws://127.0.0.1:${port}`], {
    execPath: process.execPath,
  })
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const connected = once(venue, 'connection') as Promise<[WebSocket]>
    const clients = await subscribe(url, load.subscribers)
    const [upstream] = await connected
    upstream.on('message', (data) => {
      if (String(data).includes('assets_ids')) upstream.send(book())
      else if (String(data) === 'PING') upstream.send('PONG')
    })
    await Promise.all(clients.map((client) => client.first))
    const sentAt: number[] = []
    const latencies: number[] = []
    for (const client of clients) {
      client.onFrame = (data) => {
        const at = performance.now()
        const begin = data.indexOf('"size":') + 7
        const sequence = Number(data.toString('latin1', begin, data.indexOf('}', begin))) - 1_000
        const sent = sentAt[sequence]
        if (sent !== undefined) latencies.push(at - sent)
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
    latencies.sort((a, b) => a - b)
    const at = (quantile: number): number =>
      latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * quantile))] ?? Number.NaN
    for (const client of clients) client.socket.terminate()
    return {
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      delivered: latencies.length / (total * load.subscribers),
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

interface Subscriber {
  socket: WebSocket
  first: Promise<void>
  onFrame: (data: Buffer) => void
}

async function subscribe(url: string, count: number): Promise<Subscriber[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`, {
        headers: { authorization: 'Bearer bench' },
        perMessageDeflate: false,
      })
      await once(socket, 'open')
      const subscriber: Subscriber = { socket, first: Promise.resolve(), onFrame: () => undefined }
      subscriber.first = new Promise((resolve) => {
        socket.on('message', (data: Buffer) => {
          if (data.includes('"data":')) {
            resolve()
            subscriber.onFrame(data)
          }
        })
      })
      socket.send(JSON.stringify({ op: 'subscribe', channel: 'orderbook', venue: 'polymarket', marketId: token }))
      return subscriber
    }),
  )
}

const loads: Load[] = [
  { messagesPerSecond: 1_000, subscribers: 10, seconds: 5 },
  { messagesPerSecond: 1_000, subscribers: 100, seconds: 5 },
  { messagesPerSecond: 50_000, subscribers: 10, seconds: 5 },
]

export const benches: Bench[] = loads.map((load) => {
  const name = `tickToWire.${load.messagesPerSecond}x${load.subscribers}`
  const figure = (metric: string, value: number, unit: string): BenchResult => ({
    bench: name,
    metric,
    value,
    unit,
    peer: null,
    peerValue: null,
    ratio: null,
  })
  return {
    name,
    async run() {
      const { p50Ms, p99Ms, delivered, cpu } = await measure(load)
      return [
        figure('venue bytes to subscriber, p50', p50Ms, 'ms'),
        figure('venue bytes to subscriber, p99', p99Ms, 'ms'),
        figure('delivered unconflated', delivered, 'share'),
        figure('server CPU', cpu, 'cores'),
      ]
    },
  }
})
