// From a book in shared memory to a changed structure on the main thread, with 2,000 sets of markets: half of them implications over two
// venues, the others partitions of five outcomes. In one of five, prices are close to arbitrage; the others publish nothing, since nothing
// changes.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WorkerSet } from '#arbitrage/structures/candidateSet'
import type { FoundInSet } from '#arbitrage/structures/engine'
import type { Relation, StructureMarket } from '#arbitrage/structures/index'
import { LiveBook } from '#core/books/liveBook'
import { createArena, SharedBooksWriter } from '#core/books/shared/index'
import { systemClock } from '#core/clock'
import { structureEngine } from '#workers/structureEngine'
import { type Bench, type BenchResult, costResult, figure, fullOrShort } from './bench.ts'
import { threadTimes } from './threadTimes.ts'

const setCount = fullOrShort(2_000, 40)
const changes = fullOrShort(4_000, 200)
/** The search thread finds something within this time. */
const patienceMs = 60_000
const levels = 10
/** Book changes a second. */
const rate = 500

const marketOf = (key: string, i: number): StructureMarket => ({
  key,
  venue: key.split(':')[0]!,
  fee:
    i % 2 === 0
      ? { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' }
      : { kind: 'polymarket_curve', rate: 0.05, exponent: 1 },
  settlementFee: { kind: 'none' },
  tickMicros: 10_000,
  stepUnits: i % 2 === 0 ? 100 : 1,
  minimumUnits: i % 2 === 0 ? 100 : 500,
  minimumMicros: i % 2 === 0 ? 0 : 1_000_000,
  minimumOtherMicros: 0,
})

async function run(): Promise<BenchResult[]> {
  const names = Array.from({ length: setCount }, (_, i) =>
    Array.from({ length: i % 2 === 0 ? 2 : 5 }, (_, j) => `${j % 2 === 0 ? 'kalshi' : 'polymarket'}:${i}-${j}`),
  )
  const slots = names.flat().length
  const arena = createArena(slots)
  const writer = new SharedBooksWriter(arena)
  const book = new LiveBook({ venue: 'x', marketId: 'x', tickMicros: 10_000, onDirty: () => undefined })
  let state = 7
  const random = (max: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % max
  }
  const handles = new Map(names.flat().map((key) => [key, writer.allocate(key)!]))
  let at = 1_790_000_000_000
  /** Fair prices are a few cents away from what relations allow; in one set in ten they violate it. */
  const write = (key: string, set: number, place: number): void => {
    const rich = set % 10 === 0 || set % 10 === 1
    const partition = set % 2 === 1
    const fair = partition ? 20 : place === 0 ? 40 : 55
    const mid = fair + (rich ? (partition ? -3 : place === 0 ? 12 : -6) : 2) + random(3)
    book.beginSnapshot()
    for (let i = 0; i < levels; i++) {
      book.set(0, (mid - 1 - i) * 10_000, 50 + random(400))
      book.set(1, (mid + 1 + i) * 10_000, 50 + random(400))
    }
    book.commit(++at, at)
    writer.write(handles.get(key)!.slot, book)
  }
  for (const [set, keys] of names.entries()) for (const [place, key] of keys.entries()) write(key, set, place)

  const waiting = new Map<string, number>()
  const taken: number[] = []
  let seen = 0
  const engine = structureEngine({ arena, slots, clock: systemClock })({
    found(sets: readonly FoundInSet[]) {
      seen += sets.length
      const now = performance.now()
      for (const { name } of sets) {
        const since = waiting.get(name)
        if (since === undefined) continue
        waiting.delete(name)
        taken.push(now - since)
      }
    },
    failed: (reason) => {
      throw new Error(reason)
    },
  })
  engine.start()
  const begun = performance.now()
  names.forEach((keys, i) => {
    const markets = keys.map((key) => {
      const { slot, generation } = handles.get(key)!
      const side = { handle: { slot, generation }, flags: 0 }
      return {
        market: marketOf(key, Number(key.startsWith('p'))),
        yes: { ...side, complement: false },
        no: { ...side, complement: true },
      }
    })
    const relation: Relation =
      i % 2 === 0
        ? { id: `r${i}`, band: 'verified', kind: 'a_implies_b', a: keys[0]!, b: keys[1]! }
        : {
            id: `r${i}`,
            band: 'verified',
            kind: 'outcomes',
            complete: true,
            members: keys.map((market) => ({ market, side: 'yes' })),
          }
    engine.set({ name: `s${i}`, markets, relations: [relation] } satisfies WorkerSet)
  })
  engine.flush()
  const quietFor = async (ms: number): Promise<void> => {
    const isStarting = (): boolean => seen === 0 && performance.now() - begun < patienceMs
    for (let last = -1; last !== seen || isStarting(); await pause(ms)) last = seen
  }
  await quietFor(1_000)
  const first = performance.now() - begun
  const idle = new Worker(new URL('./idle.worker.ts', import.meta.url))
  const idleP99 = async (): Promise<number> => {
    idle.postMessage('p99')
    return ((await once(idle, 'message')) as [number])[0]
  }
  await idleP99()
  waiting.clear()
  const [before, cpuBefore] = [threadTimes(), process.cpuUsage()]
  for (let i = 0; i < changes; i++) {
    const set = random(setCount)
    const place = random(names[set]!.length)
    const key = names[set]![place]!
    write(key, set, place)
    // Also for a set whose previous change published nothing.
    waiting.set(`s${set}`, performance.now())
    engine.touch(handles.get(key)!.slot)
    engine.flush()
    if (i % (rate / 100) === 0) await pause(10)
  }
  const machine = await idleP99()
  const cpu = process.cpuUsage(cpuBefore)
  const after = threadTimes()
  await idle.terminate()
  await quietFor(500)
  await engine.stop()
  taken.sort((a, b) => a - b)
  const share = (part: number): number => taken[Math.min(taken.length - 1, Math.floor(part * taken.length))]!
  const p99 = share(0.99)
  return [
    figure('structures', 'all sets searched first', 'ms', first),
    figure('structures', 'changes that published rows', 'count', taken.length),
    figure('structures', 'book to structure, p50', 'ms', share(0.5)),
    costResult('structures', 'book to structure, p99', 'ms', p99, 'p99 of an idle thread that wakes every ms', machine),
    figure('structures', 'book to structure, largest', 'ms', share(1)),
    figure('structures', 'CPU of writer, search and reader', 'us/change', (cpu.user + cpu.system) / changes),
    ...(before === null || after === null
      ? []
      : [
          figure(
            'structures',
            'share of runnable time in which our threads waited for a core',
            'share',
            (after.waited - before.waited) / (after.waited - before.waited + after.ran - before.ran),
          ),
        ]),
  ]
}

export const benches: readonly Bench[] = [{ name: 'structures', run }]
