// A setup for benches from the venue's bytes to the frame at a subscriber: one market of one venue, the program as a child process, and
// many subscribers, of which every tenth is timed.
//
// Venue and timed subscribers run in this process on one clock; the other subscribers run in another child: in this process, a hundred
// sockets would queue behind each other and that queue would count as the server's. A change is matched to its send time by its size.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Subscriber, subscribe, token } from './tickToWire.clients.ts'

const market = `0x${'ab'.repeat(32)}`
const hash = 'bf32b3746fff40c76c98021b7f3f07261169dd26'

/** The part of every frame before the changing size. */
const best = Buffer.from('"bids":[{"price":0.42,"size":')

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

export interface Load {
  messagesPerSecond: number
  seconds: number
}

export interface Measured {
  p50Ms: number
  p99Ms: number
  /** Frames per message and subscriber: those that were not conflated. */
  delivered: number
  /** Cores the program used. */
  cpu: number
}

export interface Stage {
  /** The program's address. */
  url: string
  program: ChildProcess
  drive(load: Load): Promise<Measured>
  /** From now on, this many of the untimed subscribers read nothing. */
  stall(readers: number): Promise<void>
  close(): void
}

/** `execArgv`: Node options for the program. */
export async function openStage(program: string, subscribers: number, execArgv: readonly string[]): Promise<Stage> {
  const venue = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(venue, 'listening')
  const { port } = venue.address() as AddressInfo
  const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
  const { execPath } = process
  const child = fork(fileOf(program), [`ws://127.0.0.1:${port}`], { execPath, execArgv: [...execArgv] })
  const subscriberProcess = fork(fileOf('./tickToWire.clients.main.ts'), [], { execPath })
  const close = (): void => {
    child.kill('SIGKILL')
    subscriberProcess.kill('SIGKILL')
    venue.close()
    for (const socket of venue.clients) socket.terminate()
  }
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
    const readers = await gather(url, subscribers, subscriberProcess)
    const upstream = await connected
    await Promise.all(readers.map((reader) => reader.first))
    let next = 1_000
    const drive = async ({ messagesPerSecond, seconds }: Load): Promise<Measured> => {
      const from = next
      const total = messagesPerSecond * seconds
      const sentAt: number[] = []
      const latencies = new Float64Array(total * readers.length)
      let taken = 0
      for (const reader of readers) {
        reader.onFrames = (chunk) => {
          const at = performance.now()
          for (let found = chunk.indexOf(best); found >= 0; found = chunk.indexOf(best, found + best.length)) {
            let size = 0
            for (let i = found + best.length; chunk[i]! >= 48 && chunk[i]! <= 57; i++) size = size * 10 + chunk[i]! - 48
            const sent = sentAt[size - from]
            if (sent !== undefined) latencies[taken++] = at - sent
          }
        }
      }
      const before = await cpuOf(child)
      const startedAt = performance.now()
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * messagesPerSecond))
          while (sentAt.length < due) {
            const text = change(next++)
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
      return {
        p50Ms: at(0.5),
        p99Ms: at(0.99),
        delivered: taken / (total * readers.length),
        cpu: cpu / (seconds * 1_000),
      }
    }
    return {
      url,
      program: child,
      drive,
      async stall(count) {
        subscriberProcess.send({ stalled: count })
        await once(subscriberProcess, 'message')
      },
      close() {
        for (const reader of readers) reader.socket.destroy()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Nine of ten subscribe in the other process, every tenth here: an even sample of the order in which the server serves them. */
async function gather(url: string, count: number, subscriberProcess: ChildProcess): Promise<Subscriber[]> {
  const sampled: Subscriber[] = []
  for (let joined = 0; joined < count; joined += 10) {
    subscriberProcess.send({ url, count: Math.min(9, count - joined - 1) })
    await once(subscriberProcess, 'message')
    sampled.push(...(await subscribe(url, 1)))
  }
  return sampled
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpuMs }] = (await once(child, 'message')) as [{ cpuMs: number }]
  return cpuMs
}
