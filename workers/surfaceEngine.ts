// The surface on a thread of its own.

import type { SurfacePlan } from '#arbitrage/compileSurface'
import type { CreateEngine, EngineEvents, SurfaceEngine } from '#arbitrage/engine'
import { createTable, SurfaceTable } from '#arbitrage/table'
import { createRing, RingConsumer } from '#core/books/shared/index'
import type { Clock } from '#core/clock'
import { workerFile } from './pool.ts'
import { SupervisedWorker, type ThreadRun } from './supervisedWorker.ts'
import { control, type SurfaceLoad } from './surface.ts'

export interface WorkerEngineOptions {
  /** The shared books, written by the feed's owner. */
  arena: SharedArrayBuffer
  /** Number of books that fit into the arena. */
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

class WorkerEngine implements SurfaceEngine {
  table: SurfaceTable | null = null
  private readonly events: EngineEvents
  private readonly thread: SupervisedWorker
  private plan: SurfacePlan | null = null
  private changed: RingConsumer | null = null
  /** Full passes of this run reported so far. */
  private doneSeen = 0
  /** Of the plan last loaded. */
  private version = 0

  constructor({ filename, ...options }: WorkerEngineOptions, events: EngineEvents) {
    this.events = events
    this.thread = new SupervisedWorker({
      ...options,
      filename: filename ?? workerFile('surface'),
      onMessage: (run) => this.noted(run),
      failed: (reason) => {
        this.forget()
        events.failed(reason)
      },
    })
  }

  start(): void {
    if (this.thread.start() === null) return
    this.doneSeen = 0
    if (this.plan !== null) this.load(this.plan)
  }

  load(plan: SurfacePlan): void {
    this.plan = plan
    const { run } = this.thread
    if (run === null) return
    const table = createTable(plan)
    const changed = createRing(Math.max(1, plan.clusters))
    this.table = new SurfaceTable(table, plan)
    this.changed = new RingConsumer(changed)
    run.port.postMessage({ version: ++this.version, plan, table, changed } satisfies SurfaceLoad)
    run.books.flush()
  }

  touch(slot: number): void {
    const { run } = this.thread
    // A full ring loses nothing: the full pass requested instead reads every book.
    if (run !== null && !run.books.push(slot)) this.requestPass()
  }

  flush(): void {
    this.thread.run?.books.flush()
  }

  requestPass(): void {
    const { run } = this.thread
    if (run === null) return
    Atomics.add(run.words, control.wanted, 1)
    run.books.flush()
  }

  drain(visit: (cluster: number) => void, max: number): number {
    return this.changed?.drain(visit, max) ?? 0
  }

  stop(): Promise<void> {
    this.changed = null
    return this.thread.stop()
  }

  private noted({ words }: ThreadRun): void {
    Atomics.store(words, control.noticePending, 0)
    // Results of an earlier plan: their table is no longer ours.
    if (Atomics.load(words, control.plan) !== this.version) return
    const done = Atomics.load(words, control.done)
    const full = done !== this.doneSeen
    this.doneSeen = done
    this.events.passed(full)
  }

  private forget(): void {
    this.table = null
    this.changed = null
  }
}
