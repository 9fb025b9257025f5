// Latency of well-behaved readers while other clients misbehave, compared with the same readers just before, in the same process.
import { connect, type Socket } from 'node:net'
import { clientFrame } from '#test/src/server/gateway/clientFrame'
import { programOptions } from '../support/programOptions.ts'
import { type Bench, type BenchResult, fullOrShort, median } from './bench.ts'
import { subscribe, token } from './tickToWire.clients.ts'
import { type Load, openStage, type Stage } from './tickToWire.stage.ts'

const rounds = fullOrShort(3, 1)
const warmUpSeconds = fullOrShort(2, 0.5)
const slowSockets = fullOrShort(2_000, 100)

/** Starts the trouble; returns a function that ends it. */
type Trouble = (stage: Stage) => Promise<() => void | Promise<void>>

interface Case {
  metric: string
  readers: number
  load: Load
  start: Trouble
}

const steady: Load = { messagesPerSecond: 500, seconds: fullOrShort(4, 0.5) }

const troubles: Record<string, Case> = {
  stalled: {
    metric: '200 of 300 subscribers read nothing',
    readers: 300,
    // Long enough that the kernel's buffers are full and the program itself must hold data back.
    load: { messagesPerSecond: 500, seconds: fullOrShort(20, 0.5) },
    async start(stage) {
      await stage.stall(200)
      return () => stage.stall(0)
    },
  },
  slowloris: {
    metric: '2,000 sockets send a byte of header now and then',
    readers: 100,
    load: steady,
    async start({ url }) {
      const sockets = await Promise.all(Array.from({ length: slowSockets }, () => open(url)))
      const timer = setInterval(() => {
        for (let i = 0; i < 100; i++) sockets[Math.floor(Math.random() * sockets.length)]?.write('x')
      }, 100)
      for (const socket of sockets) socket.write('GET /v1/stream HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      return () => {
        clearInterval(timer)
        for (const socket of sockets) socket.destroy()
      }
    },
  },
  flooder: {
    metric: 'one socket at a time sends 10,000 subscribes and unsubscribes a second',
    readers: 100,
    load: steady,
    async start({ url }) {
      const op = (name: string) =>
        clientFrame(
          Buffer.from(JSON.stringify({ op: name, channel: 'orderbook', venue: 'polymarket', marketId: token })),
        )
      const pair = Buffer.concat([op('subscribe'), op('unsubscribe')])
      const burst = Buffer.concat(Array.from({ length: 50 }, () => pair))
      let flooder: Socket | null = null
      let ended = false
      // Closed for flooding, it reconnects: the worst it can do.
      const again = async (): Promise<void> => {
        const [subscriber] = await subscribe(url, 1)
        flooder = subscriber?.socket ?? null
        flooder?.once('close', () => {
          if (!ended) again().catch(() => undefined)
        })
      }
      await again()
      const timer = setInterval(() => flooder?.write(burst), 10)
      return () => {
        ended = true
        clearInterval(timer)
        flooder?.destroy()
      }
    },
  },
}

const round = (value: number): number => Number(value.toPrecision(4))

function open(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' }, () => resolve(socket))
    socket.on('error', reject)
    socket.resume()
  })
}

export const benches: Bench[] = Object.entries(troubles).map(([name, { metric, readers, load, start }]) => ({
  name: `hostile.${name}`,
  async run(): Promise<BenchResult[]> {
    const stage = await openStage('./tickToWire.server.ts', readers, programOptions)
    try {
      await stage.drive({ ...load, seconds: warmUpSeconds })
      const calm: number[] = []
      const troubled: number[] = []
      const cores: number[] = []
      for (let round = 0; round < rounds; round++) {
        const before = await stage.drive(load)
        const end = await start(stage)
        const during = await stage.drive(load)
        await end()
        calm.push(before.p99Ms)
        troubled.push(during.p99Ms)
        cores.push(during.cpu - before.cpu)
      }
      const [value, peerValue] = [median(troubled), median(calm)]
      const figure = { bench: `hostile.${name}`, peer: 'the same readers before', unit: 'ms' }
      return [
        { ...figure, metric: `${metric}: readers' p99`, value, peerValue, ratio: peerValue / value },
        {
          ...figure,
          metric: `${metric}: server CPU`,
          unit: 'cores more',
          value: median(cores),
          peerValue: 0,
          ratio: null,
        },
      ].map((each) => ({
        ...each,
        value: round(each.value),
        peerValue: round(each.peerValue),
        ratio: each.ratio && round(each.ratio),
      }))
    } finally {
      stage.close()
    }
  },
}))
