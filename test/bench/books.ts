// The order books compared with the structures they replaced: sorted arrays, Maps, JSON.stringify, postMessage.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ASK, BID, createBook } from '#core/books/book'
import { complementCore, encodeCore } from '#core/books/encode'
import { LiveBook } from '#core/books/liveBook'
import {
  createArena,
  createRing,
  RingProducer,
  SharedBooksReader,
  SharedBooksWriter,
  SharedDepth,
} from '#core/books/shared/index'
import type { BookSide } from '#venues/venue'
import {
  type Bench,
  type BenchResult,
  costResult,
  cpuNsPerCall,
  figure,
  fullOrShort,
  median,
  rateResult,
} from './bench.ts'
import { MapPeer, SortedArraysPeer } from './bookPeers.ts'
import type { HandOffReport, HandOffTask } from './handOff.worker.ts'

const updates = 65_536
const depth = 13

/** Level changes as a venue sends them: near the touch, a fifth of them removals. Seeded, so every run measures the same stream. */
function stream() {
  const sides = new Uint8Array(updates)
  const prices = new Int32Array(updates)
  const sizes = new Float64Array(updates)
  let state = 42
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let i = 0; i < updates; i++) {
    sides[i] = random() < 0.5 ? BID : ASK
    const away = Math.floor(random() * random() * depth)
    prices[i] = (sides[i] === BID ? 40 - away : 41 + away) * 10_000
    sizes[i] = random() < 0.2 ? 0 : Math.floor(random() * 1e6) / 100
  }
  return { sides, prices, sizes }
}

interface Peer {
  set(side: BookSide, priceMicros: number, size: number): unknown
  bestMicros(side: BookSide): number
}

function updateCost(book: Peer): number {
  const { sides, prices, sizes } = stream()
  return cpuNsPerCall(
    (call) => {
      const at = call & (updates - 1)
      book.set(sides[at] as BookSide, prices[at]!, sizes[at]!)
      return book.bestMicros(BID) + book.bestMicros(ASK)
    },
    { calls: 1_000_000 },
  )
}

const update: Bench = {
  name: 'books.update',
  async run() {
    const grid = updateCost(createBook(10_000))
    const live = new LiveBook({ venue: 'bench', marketId: 'm', tickMicros: 10_000, onDirty: () => undefined })
    live.beginSnapshot()
    live.commit(1, 1)
    const { sides, prices, sizes } = stream()
    const committed = cpuNsPerCall(
      (call) => {
        const at = call & (updates - 1)
        live.set(sides[at] as BookSide, prices[at]!, sizes[at]!)
        live.commit(call, call)
        return live.topVersion
      },
      { calls: 1_000_000 },
    )
    const arrays = updateCost(new SortedArraysPeer())
    const map = updateCost(new MapPeer())
    return [
      costResult(this.name, 'update + both bests', 'cpu ns', grid, 'sorted arrays with splice', arrays),
      costResult(this.name, 'update + both bests', 'cpu ns', grid, 'Map<number>', map),
      figure(this.name, 'live book: update + commit, with crossed check and top version', 'cpu ns', committed),
    ]
  },
}

function fullBook() {
  const book = createBook(10_000)
  const { sizes } = stream()
  for (let i = 0; i < depth; i++) {
    book.set(BID, (40 - i) * 10_000, sizes[i]! + 0.25)
    book.set(ASK, (41 + i) * 10_000, sizes[i + depth]! + 0.5)
  }
  return book
}

const encode: Bench = {
  name: 'books.encode',
  async run() {
    const book = fullBook()
    const levels = [book.levels(BID), book.levels(ASK)] as const
    const calls = 200_000
    const ours = cpuNsPerCall((call) => encodeCore(book, 1_790_000_000_000 + call), { calls })
    const objects = (side: BookSide) =>
      levels[side].map(({ priceMicros, size }) => ({ price: priceMicros / 1_000_000, size }))
    const stringify = cpuNsPerCall(
      (call) =>
        Buffer.from(JSON.stringify({ bids: objects(BID), asks: objects(ASK), timestamp: 1_790_000_000_000 + call })),
      { calls },
    )
    const core = encodeCore(book, 1_790_000_000_000)
    const complement = cpuNsPerCall(() => complementCore(core), { calls })
    return [
      costResult(
        this.name,
        'frame of 13 + 13 levels to bytes',
        'cpu us',
        ours / 1_000,
        'JSON.stringify of objects',
        stringify / 1_000,
      ),
      costResult(
        this.name,
        'the NO view of those bytes',
        'cpu us',
        complement / 1_000,
        'JSON.stringify of objects',
        stringify / 1_000,
      ),
    ]
  },
}

/** Runs one hand-off to a worker and returns messages per CPU second of both threads, and per second of wall time. */
async function handOff(
  mode: HandOffTask['mode'],
  messages: number,
): Promise<{ perCpuSecond: number; perSecond: number }> {
  const slots = 16_384
  const ring = createRing(slots)
  const worker = new Worker(new URL('./handOff.worker.ts', import.meta.url), {
    workerData: { mode, ring, messages } satisfies HandOffTask,
  })
  try {
    await once(worker, 'message')
    const finished = once(worker, 'message')
    const started = process.hrtime.bigint()
    const before = process.cpuUsage()
    if (mode === 'ring') await produce(new RingProducer(ring), slots, messages)
    else {
      const book = { bids: fullBook().levels(BID), asks: fullBook().levels(ASK), timestamp: 1 }
      for (let i = 0; i < messages; i++) worker.postMessage(mode === 'book' ? book : i)
    }
    const [report] = (await finished) as [HandOffReport]
    const { user, system } = process.cpuUsage(before)
    const seconds = Number(process.hrtime.bigint() - started) / 1e9
    if (report.received < messages) throw new Error(`${mode}: ${report.received} of ${messages} arrived`)
    return { perCpuSecond: messages / ((user + system) / 1e6), perSecond: messages / seconds }
  } finally {
    await worker.terminate()
  }
}

/** Every push a slot that does not wait yet, so that each one is a hand-off and none is coalesced away. */
async function produce(producer: RingProducer, slots: number, messages: number): Promise<void> {
  for (let sent = 0; sent < messages; sent++) {
    const slot = sent % slots
    while (producer.waits(slot)) {
      producer.flush()
      await new Promise(setImmediate)
    }
    producer.push(slot)
    if (sent % 64 === 63) producer.flush()
  }
  producer.flush()
}

const handOffRounds = fullOrShort(5, 1)

async function medianHandOff(mode: HandOffTask['mode'], messages: number) {
  const runs = []
  for (let round = 0; round < handOffRounds; round++) runs.push(await handOff(mode, messages))
  return {
    perCpuSecond: median(runs.map((run) => run.perCpuSecond)) / 1e6,
    perSecond: median(runs.map((run) => run.perSecond)) / 1e6,
  }
}

const ring: Bench = {
  name: 'books.handoff',
  async run() {
    const ours = await medianHandOff('ring', fullOrShort(4_000_000, 40_000))
    const book = await medianHandOff('book', fullOrShort(30_000, 300))
    const number = await medianHandOff('number', fullOrShort(200_000, 2_000))
    const results: BenchResult[] = []
    for (const [peer, theirs] of [
      ['postMessage of a 26-level book', book],
      ['postMessage of a number', number],
    ] as const) {
      results.push(
        rateResult(this.name, 'dirty slot, notify per 64', 'M per cpu s', ours.perCpuSecond, peer, theirs.perCpuSecond),
      )
      results.push(
        rateResult(this.name, 'dirty slot, notify per 64', 'M per wall s', ours.perSecond, peer, theirs.perSecond),
      )
    }
    return results
  },
}

const shared: Bench = {
  name: 'books.shared',
  async run() {
    const arena = createArena(64)
    const writer = new SharedBooksWriter(arena)
    const reader = new SharedBooksReader(arena)
    const live = new LiveBook({ venue: 'bench', marketId: 'm', tickMicros: 10_000, onDirty: () => undefined })
    live.beginSnapshot()
    const book = fullBook()
    for (const side of [BID, ASK] as const)
      for (const level of book.levels(side)) live.set(side, level.priceMicros, level.size)
    live.commit(1, 1)
    const { slot } = writer.allocate('bench:m') ?? { slot: 0 }
    const into = new SharedDepth()
    const calls = 500_000
    const write = cpuNsPerCall(() => writer.write(slot, live), { calls })
    const read = cpuNsPerCall(() => reader.read(slot, into), { calls })
    const plain = { bids: book.levels(BID), asks: book.levels(ASK) }
    const clone = cpuNsPerCall(() => structuredClone(plain), { calls: 10_000 })
    return [
      costResult(this.name, 'write 13 + 13 levels', 'cpu ns', write, 'structuredClone of the book', clone),
      costResult(this.name, 'read 13 + 13 levels', 'cpu ns', read, 'structuredClone of the book', clone),
    ]
  },
}

export const benches: Bench[] = [update, encode, shared, ring]
