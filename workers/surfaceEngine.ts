// The surface on a thread of its own, watched: a worker that throws, hangs or dies is reported, and started again when told to.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { CreateEngine, EngineEvents, SurfaceEngine } from '#arbitrage/engine'
import type { SurfacePlan } from '#arbitrage/plan'
import { createTable, SurfaceTable } from '#arbitrage/table'
import { createRing, RingConsumer, RingProducer } from '#books/shared/index'
import type { Clock, Timer } from '#lib/clock'
import { LongLivedWorker, workerFile } from './pool.ts'
import { control, controlBytes, type SurfaceLoad, type SurfaceTask } from './surface.ts'

const watchEveryMs = 250
/** No beat for this long: it hangs. A full pass takes some ten milliseconds, an idle turn a fifth of a second. */
const hungMs = 1_500
/** Until the first beat the thread may still be loading its code. */
const startMs = 10_000

export interface WorkerEngineOptions {
  /** The shared books, written by whoever holds the feed. */
  arena: SharedArrayBuffer
  /** Books the arena has room for. */
  slots: number
  clock: Clock
  /** Another worker file, for tests. */
  filename?: string
  workerData?: unknown
}

export const workerEngine =
  (options: WorkerEngineOptions): CreateEngine =>
  (events) =>
    new WorkerEngine(options, events)

/** What one run of the worker holds; a restart begins with all of it new. */
interface Run {
  words: Int32Array
  books: RingProducer
  port: MessagePort
  changed: RingConsumer | null
  doneSeen: number
  beat: number
  beatAt: number
}

class WorkerEngine implements SurfaceEngine {
  table: SurfaceTable | null = null
  private readonly options: WorkerEngineOptions
  private readonly events: EngineEvents
  private readonly worker: LongLivedWorker
  private readonly watchdog: Timer
  private plan: SurfacePlan | null = null
  private run: Run | null = null
  /** Of the plan last loaded. */
  private version = 0
  private stopped = false

  constructor(options: WorkerEngineOptions, events: EngineEvents) {
    this.options = options
    this.events = events
    this.worker = new LongLivedWorker({
      filename: options.filename ?? workerFile('surface'),
      workerData: options.workerData,
    })
    this.watchdog = options.clock.every(watchEveryMs, () => this.watch())
  }

  start(): void {
    if (this.run !== null || this.stopped) return
    const { arena, slots, clock } = this.options
    const memory = new SharedArrayBuffer(controlBytes)
    const ring = createRing(slots)
    const { port1, port2 } = new MessageChannel()
    const run: Run = {
      words: new Int32Array(memory),
      books: new RingProducer(ring),
      port: port1,
      changed: null,
      doneSeen: 0,
      beat: 0,
      beatAt: clock.monotonic(),
    }
    this.run = run
    port1.on('message', () => this.noted(run))
    // The process may end while the worker runs on.
    port1.unref()
    const task: SurfaceTask = { arena, control: memory, books: ring, port: port2 }
    this.worker.run(task, [port2], (reason) => {
      if (this.run === run) this.fail(run, reason ?? 'returned')
    })
    if (this.plan !== null) this.load(this.plan)
  }

  load(plan: SurfacePlan): void {
    this.plan = plan
    const { run } = this
    if (run === null) return
    const table = createTable(plan)
    const changed = createRing(Math.max(1, plan.clusters))
    this.table = new SurfaceTable(table, plan)
    run.changed = new RingConsumer(changed)
    run.port.postMessage({ version: ++this.version, plan, table, changed } satisfies SurfaceLoad)
    run.books.flush()
  }

  touch(slot: number): void {
    // Full is not lost: the pass asked for instead sees every book.
    if (this.run !== null && !this.run.books.push(slot)) this.requestPass()
  }

  flush(): void {
    this.run?.books.flush()
  }

  requestPass(): void {
    const { run } = this
    if (run === null) return
    Atomics.add(run.words, control.wanted, 1)
    run.books.flush()
  }

  drain(visit: (cluster: number) => void, max: number): number {
    return this.run?.changed?.drain(visit, max) ?? 0
  }

  async stop(): Promise<void> {
    if (this.stopped) return
    this.stopped = true
    this.watchdog.cancel()
    const { run } = this
    this.run = null
    if (run !== null) {
      Atomics.store(run.words, control.stop, 1)
      run.books.flush()
      run.port.close()
    }
    await this.worker.close()
  }

  private noted(run: Run): void {
    if (this.run !== run) return
    Atomics.store(run.words, control.noted, 0)
    // Results of a plan before the one loaded last: their table is not ours any more.
    if (Atomics.load(run.words, control.plan) !== this.version) return
    const done = Atomics.load(run.words, control.done)
    const full = done !== run.doneSeen
    run.doneSeen = done
    this.events.passed(full)
  }

  private watch(): void {
    const { run } = this
    if (run === null) return
    const now = this.options.clock.monotonic()
    const beat = Atomics.load(run.words, control.beat)
    if (beat !== run.beat) {
      run.beat = beat
      run.beatAt = now
    } else if (now - run.beatAt >= (beat === 0 ? startMs : hungMs)) {
      this.fail(run, 'no heartbeat')
      this.worker.kill()
    }
  }

  private fail(run: Run, reason: string): void {
    run.port.close()
    this.run = null
    this.table = null
    this.events.failed(reason)
  }
}
