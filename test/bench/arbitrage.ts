// The arbitrage surface compared with a straightforward object version: cost of computing and encoding it, and latency to a subscriber.
import { once } from 'node:events'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { spawnArbitrage } from '#actors/arbitrage/arbitrageActor'
import * as actors from '#actors/system'
import { compileSurface } from '#arbitrage/compileSurface'
import { RowEncoder } from '#arbitrage/encodeRow'
import { arbitrageRows, arbitrageRowsAt, bestFirst } from '#arbitrage/fetchArbitrage'
import type { FilteredRow } from '#arbitrage/filter'
import { PublishedRows } from '#arbitrage/publishedRows'
import { rowOf } from '#arbitrage/row'
import { SizedSurfaces } from '#arbitrage/sizedQuery'
import { Surface } from '#arbitrage/surface'
import { spreadMicros } from '#arbitrage/table'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { workerEngine } from '#workers/surfaceEngine'
import type { PassCost, PassTask } from './arbitrage.worker.ts'
import { peerPass } from './arbitragePeer.ts'
import { BenchWorld } from './arbitrageWorld.ts'
import { type Bench, type BenchResult, costResult, cpuNsPerCall, figure, fullOrShort, median } from './bench.ts'

const questions = fullOrShort(5_000, 50)
const contracts = 100
const unlimited = 1e9

const passRounds = fullOrShort(25, 2)
const passWarmUp = fullOrShort(10, 1)

/** Every row of 5,000 questions on ten venues each. */
const pass: Bench = {
  name: 'arbitrage.pass',
  async run() {
    const world = new BenchWorld(questions, () => 10, true)
    const { plan } = compileSurface(world.clusters, { contracts, limit: unlimited, slotOf: world.slotOf })
    let rows = 0
    const peerNs = cpuNsPerCall(() => peerPass(world.clusters, world.peerBooks, contracts, () => rows++), {
      calls: 1,
      rounds: 3,
    })
    const worker = new Worker(new URL('./arbitrage.worker.ts', import.meta.url), {
      workerData: { plan, arena: world.arena } satisfies PassTask,
    })
    const passCost = async (): Promise<PassCost> => {
      worker.postMessage('pass')
      const [cost] = (await once(worker, 'message')) as [PassCost]
      return cost
    }
    const [allNew, nothingNew]: [number[], number[]] = [[], []]
    for (let round = 0; round < passRounds; round++) {
      for (const id of world.bookIds) world.write(id)
      const [first, second] = [await passCost(), await passCost()]
      if (first.changed !== plan.clusters || second.changed !== 0) throw new Error('a pass missed changed books')
      // The first rounds warm up.
      if (round < passWarmUp) continue
      allNew.push(first.ns)
      nothingNew.push(second.ns)
    }
    await worker.terminate()
    const passNs = median(allNew)
    const surface = Surface.alone(plan, world.arena)
    surface.pass()
    const slots = world.bookIds.map((id) => world.slotOf('', id).slot)
    const dirtyNs = cpuNsPerCall(
      (call) => {
        surface.dirty(slots[(call * 7_919) % slots.length]!)
        return surface.recompute()
      },
      { calls: 20_000 },
    )
    return [
      costResult(
        'arbitrage.pass',
        `full pass, ${plan.rows} rows, every book changed, one worker thread`,
        'ms',
        passNs / 1e6,
        'plain objects',
        peerNs / 1e6,
      ),
      figure('arbitrage.pass', 'full pass, no book changed', 'ms', median(nothingNew) / 1e6),
      figure('arbitrage.pass', 'rows per second', 'rows/s', plan.rows / (passNs / 1e9)),
      figure('arbitrage.pass', 'one dirty book, its cluster of 90 rows', 'us', dirtyNs / 1e3),
    ]
  },
}

/** Rows whose books all changed, so that no encoded leg can be reused. */
const encode: Bench = {
  name: 'arbitrage.encode',
  async run() {
    const results: BenchResult[] = []
    for (const venues of [10, 3]) {
      const world = new BenchWorld(venues === 10 ? fullOrShort(100, 5) : fullOrShort(1_500, 20), () => venues)
      const compiled = compileSurface(world.clusters, { contracts, limit: unlimited, slotOf: world.slotOf })
      const surface = Surface.alone(compiled.plan, world.arena)
      surface.pass()
      const encoder = new RowEncoder(compiled, surface.table)
      const { rows } = compiled.plan
      const rowObjects = compiled.rowFacts.map((_, row) => rowOf(compiled, surface.table, row))
      const kept = compiled.rowFacts.map(() => Buffer.allocUnsafe(1_024))
      const bytes = encoder.encode(0)
      const ours = cpuNsPerCall(
        (call) => {
          const row = call % rows
          if (row === 0) encoder.forget()
          return encoder.scratch.copy(kept[row]!, 0, 0, encoder.encode(row))
        },
        { calls: 10 * rows },
      )
      const stringify = cpuNsPerCall((call) => Buffer.from(JSON.stringify(rowObjects[call % rows])), {
        calls: 5 * rows,
      })
      results.push(
        costResult(
          'arbitrage.encode',
          `row of ${bytes} B, ${venues} venues, every leg new`,
          'us',
          ours / 1e3,
          'JSON.stringify to bytes',
          stringify / 1e3,
        ),
      )
    }
    return results
  },
}

const readRounds = fullOrShort(20, 2)
const readWarmUp = fullOrShort(5, 1)

/** What a REST read of a surface of 5,000 questions costs the main thread. */
const read: Bench = {
  name: 'arbitrage.read',
  async run() {
    const world = mixedWorld()
    const compiled = compileSurface(world.clusters, { contracts, limit: unlimited, slotOf: world.slotOf })
    const { plan, rowFacts, sideFacts } = compiled
    const { table } = Surface.alone(plan, world.arena)
    const published = new PublishedRows()
    const bytes = Buffer.alloc(1_200, 'x')
    for (let row = 0; row < plan.rows; row++) {
      const [yes, no] = [plan.rowYes[row]!, plan.rowNo[row]!]
      const facts: FilteredRow = {
        executable: world.random() < 0.1,
        venueA: sideFacts[yes]!.member.venue,
        venueB: sideFacts[no]!.member.venue,
        netMicros: Math.round(world.random() * 1e6),
        spreadMicros: spreadMicros(table, yes, no),
        matchBand: 'verified',
      }
      published.put(rowFacts[row]!.key, facts, bytes, bytes.length)
    }
    const best = cpuNsPerCall(() => [...arbitrageRows(published, { limit: 50 })], { calls: 50 })
    const sorted = cpuNsPerCall(() => [...published.present()].sort(bestFirst).slice(0, 50), { calls: 20 })
    let longestMs = 0
    for (let i = 0; i < readRounds; i++) {
      const work = arbitrageRowsAt(compiled, new SizedSurfaces(world.arena), 250, { limit: 1_000 })
      for (let from = performance.now(), step = work.next(); step.done !== true; step = work.next()) {
        const now = performance.now()
        // The first reads warm up.
        if (i >= readWarmUp) longestMs = Math.max(longestMs, now - from)
        from = now
      }
    }
    return [
      costResult(
        'arbitrage.read',
        `best 50 of ${plan.rows} published rows`,
        'ms',
        best / 1e6,
        'sorting all of them',
        sorted / 1e6,
      ),
      figure('arbitrage.read', 'longest step of a read of 1,000 rows of another size', 'ms', longestMs),
    ]
  },
}

/** Two to ten venues, three on average: what a catalog of this size holds. */
const mixedWorld = (): BenchWorld => new BenchWorld(questions, (i) => (i % 50 === 0 ? 10 : 2 + ((i * 7) % 3)))

const freshMs = fullOrShort(6_000, 500)

/** From the write of a book to the delta frame at a subscriber, through the worker, at a thousand changes per second. */
const fresh: Bench = {
  name: 'arbitrage.fresh',
  async run() {
    const intervalMs = 100
    const world = mixedWorld()
    const system = actors.start()
    const arbitrage = spawnArbitrage(system, {
      intervalMs,
      contracts,
      limit: unlimited,
      createEngine: workerEngine({ arena: world.arena, slots: world.slots, clock: systemClock }),
      slotOf: world.slotOf,
      clock: systemClock,
      log: silentLog,
    })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const waiting = new Map<string, number>()
    const taken: number[] = []
    const idle = new Worker(new URL('./idle.worker.ts', import.meta.url))
    const idleMs = async (): Promise<number> => {
      idle.postMessage('since when')
      const [longest] = (await once(idle, 'message')) as [number]
      return longest
    }
    /** Our main thread's figure, and an idle thread's in the same period. */
    const longestMs = { load: [0, 0], run: [0, 0] }
    try {
      await idleMs()
      delay.enable()
      await arbitrage.setClusters(world.clusters)
      const peer = {
        id: 1,
        offer(_topic: string, frame: Buffer) {
          if (waiting.size === 0) return 'sent' as const
          const text = frame.toString('latin1')
          if (!text.includes('"kind":"delta"')) return 'sent' as const
          const now = performance.now()
          for (const match of text.matchAll(/\{"clusterId":"(cluster-\d+):/g)) {
            const wrote = waiting.get(match[1]!)
            if (wrote === undefined) continue
            waiting.delete(match[1]!)
            taken.push(now - wrote)
          }
          return 'sent' as const
        },
      }
      arbitrage.publisher.add(peer, 'arbitrage', { intervalMs: 0 })
      while (arbitrage.publisher.withheld) await pause(20)
      await pause(500)
      longestMs.load = [delay.max / 1e6, await idleMs()]
      delay.reset()
      const ids = world.bookIds
      const until = performance.now() + freshMs
      let due = performance.now()
      while (performance.now() < until) {
        for (; due < performance.now(); due++) {
          const id = ids[Math.floor(world.random() * ids.length)]!
          world.write(id)
          const cluster = `cluster-${id.slice(0, id.indexOf('-'))}`
          if (!waiting.has(cluster)) waiting.set(cluster, performance.now())
          arbitrage.touch(world.slotOf('', id).slot)
        }
        arbitrage.flush()
        await pause(2)
      }
      await pause(500)
      longestMs.run = [delay.max / 1e6, await idleMs()]
    } finally {
      delay.disable()
      await idle.terminate()
      await arbitrage.stop()
      actors.stop(system)
    }
    const sorted = taken.sort((a, b) => a - b)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? NaN
    return [
      costResult('arbitrage.fresh', 'book change to delta frame, p99', 'ms', p99, 'the 3 s cadence', 3_000),
      figure('arbitrage.fresh', 'book change to delta frame, p50', 'ms', median(sorted)),
      figure('arbitrage.fresh', 'changes seen', 'changes', sorted.length),
      figure('arbitrage.fresh', 'rows', 'rows', arbitrage.publication.rows.count),
      ...(['load', 'run'] as const).map((when) =>
        costResult(
          'arbitrage.fresh',
          `longest main-loop stall while ${when === 'load' ? 'loading and greeting' : 'running'}`,
          'ms',
          longestMs[when][0]!,
          'an idle thread in the same time',
          longestMs[when][1]!,
        ),
      ),
    ]
  },
}

const pause = (ms: number): Promise<void> => new Promise((resume) => systemClock.after(ms, resume))

export const benches: readonly Bench[] = [pass, encode, read, fresh]
