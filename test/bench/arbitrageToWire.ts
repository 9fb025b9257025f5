// From a changed book to the row at a subscriber: bus, shared memory, worker, encoder, stream and socket as in service. The server is a
// child process on the same machine; a change is recognised by the fillable size of its row.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { programOptions } from '../support/programOptions.ts'
import { type Bench, type BenchResult, costResult, figure, fullOrShort, median } from './bench.ts'

const clusters = fullOrShort(500, 50)
const changesPerSecond = 1_000
const seconds = fullOrShort(5, 0.5)
const settleMs = fullOrShort(1_000, 500)
const structureRounds = fullOrShort(3, 1)
const subscribers = 10
/** Cadence of the specification: a change waits for the next pass, 99 of 100 no longer than this. */
const cadenceP99Ms = 0.99 * 3_000

interface Frame {
  type: string
  data?: { upserts?: { clusterId: string; legs: { buyYes: { venue: string; filled: number } } }[] }
}

interface Measured {
  sorted: Float64Array
  individualShare: number
  longestPauseMs: number
  idleMs: number
  /** CPU time per change: of the whole process and of its main thread. */
  cpuUs: number
  mainCpuUs: number
}

async function measure(structureSets = 0): Promise<Measured> {
  const child = fork(
    fileURLToPath(new URL('./arbitrageToWire.server.ts', import.meta.url)),
    [clusters, changesPerSecond, seconds, structureSets].map(String),
    { execPath: process.execPath, execArgv: [...programOptions] },
  )
  const sockets: WebSocket[] = []
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const receivedAt = new Map<number, number>()
    const greeted = Array.from({ length: subscribers }, async (_, i) => {
      const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/stream`, {
        perMessageDeflate: false,
        headers: { authorization: 'Bearer bench' },
      })
      sockets.push(socket)
      await once(socket, 'open')
      const snapshot = new Promise<void>((resolve) => {
        socket.on('message', (bytes: Buffer) => {
          const at = performance.timeOrigin + performance.now()
          // One subscriber is measured; the others only receive.
          if (i > 0) return resolve()
          const { type, data } = JSON.parse(bytes.toString()) as Frame
          if (type !== 'arbitrage') return
          resolve()
          for (const { legs } of data?.upserts ?? []) {
            const change = Math.round(legs.buyYes.filled * 100)
            if (legs.buyYes.venue === 'polymarket' && !receivedAt.has(change)) receivedAt.set(change, at)
          }
        })
      })
      socket.send(JSON.stringify({ op: 'subscribeArbitrage', intervalMs: 0 }))
      await snapshot
    })
    await Promise.all(greeted)
    // Wait until the first passes are over.
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    receivedAt.clear()
    child.send('go')
    const [{ sentAt, ...machine }] = (await once(child, 'message')) as [
      Omit<Measured, 'sorted' | 'individualShare'> & { sentAt: number[] },
    ]
    const latencies = sentAt.flatMap((at, i) => {
      const arrivedAt = receivedAt.get(i + 1)
      return arrivedAt === undefined ? [] : [arrivedAt - at]
    })
    return {
      sorted: Float64Array.from(latencies).sort(),
      individualShare: latencies.length / sentAt.length,
      ...machine,
    }
  } finally {
    for (const socket of sockets) socket.terminate()
    child.kill('SIGKILL')
  }
}

const at = (sorted: Float64Array, quantile: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))]!

/** With structures searched on every book that changes, and without; rounds alternate. */
async function measureWithStructures(): Promise<BenchResult[]> {
  const [alone, withStructures]: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round < structureRounds; round++) {
    alone.push(await measure())
    withStructures.push(await measure(clusters))
  }
  const result = (metric: string, unit: string, of: (run: Measured) => number): BenchResult =>
    costResult(
      'arbitrageToWire.structures',
      `${metric}, ${clusters} sets searched on the same books, median of 3 runs`,
      unit,
      median(withStructures.map(of)),
      'the same without structures, alternating',
      median(alone.map(of)),
    )
  return [
    result('changed book to delta frame, p50', 'ms', ({ sorted }) => at(sorted, 0.5)),
    result('changed book to delta frame, p99', 'ms', ({ sorted }) => at(sorted, 0.99)),
    result('longest pause of the main thread', 'ms', ({ longestPauseMs }) => longestPauseMs),
    result('processor time of the main thread', 'us/change', ({ mainCpuUs }) => mainCpuUs),
    result('processor time of all threads', 'us/change', ({ cpuUs }) => cpuUs),
  ]
}

export const benches: Bench[] = [
  {
    name: 'arbitrageToWire',
    async run() {
      const { sorted, individualShare, longestPauseMs, idleMs } = await measure()
      const fresher = { peer: 'rows of a 3 s cadence, p99', peerValue: cadenceP99Ms }
      return [
        figure('arbitrageToWire', 'changed book to delta frame at a subscriber, p50', 'ms', at(sorted, 0.5)),
        {
          ...figure('arbitrageToWire', 'changed book to delta frame at a subscriber, p99', 'ms', at(sorted, 0.99)),
          ...fresher,
          ratio: Number((cadenceP99Ms / at(sorted, 0.99)).toPrecision(4)),
        },
        figure('arbitrageToWire', 'changes that each caused a frame of their own', 'share', individualShare),
        costResult(
          'arbitrageToWire',
          'longest pause of the main thread',
          'ms',
          longestPauseMs,
          'an idle thread in the same time',
          idleMs,
        ),
      ]
    },
  },
  { name: 'arbitrageToWire.structures', run: measureWithStructures },
]
