// A thread that blocks on a ring of dirty slots, under a watchdog: if it throws, hangs or dies, it is ended and `failed` is called once. It is
// not restarted here: its caller calls `start` again, which gives it new shared state.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { createRing, RingProducer } from '#core/books/shared/index'
import type { Clock, Timer } from '#core/clock'
import { HeartbeatMonitor, lookEveryMs } from './heartbeatMonitor.ts'
import { LongLivedWorker } from './pool.ts'
import { controlBytes, controlWordIndex, type ThreadTask } from './workerProtocol.ts'

/** What one run of the thread shares with this one. */
export interface ThreadRun {
  words: Int32Array
  books: RingProducer
  port: MessagePort
}

export interface WatchedThreadOptions {
  filename: string
  workerData?: unknown
  arena: SharedArrayBuffer
  /** Numbers that the ring takes: 0 to `slots` − 1. */
  slots: number
  clock: Clock
  onMessage(run: ThreadRun, message: unknown): void
  failed(reason: string): void
}

export class SupervisedWorker {
  /** Null while nothing runs. */
  run: ThreadRun | null = null
  private readonly options: WatchedThreadOptions
  private readonly worker: LongLivedWorker
  private readonly watchdog: Timer
  private monitor = new HeartbeatMonitor(0)
  private stopped = false

  constructor(options: WatchedThreadOptions) {
    this.options = options
    this.worker = new LongLivedWorker({ filename: options.filename, workerData: options.workerData })
    this.watchdog = options.clock.every(lookEveryMs, () => this.watch())
  }

  /** Null when it already runs or was stopped for good. */
  start(): ThreadRun | null {
    if (this.run !== null || this.stopped) return null
    const { arena, slots, clock, onMessage } = this.options
    const control = new SharedArrayBuffer(controlBytes)
    const ring = createRing(slots)
    const { port1, port2 } = new MessageChannel()
    const run: ThreadRun = { words: new Int32Array(control), books: new RingProducer(ring), port: port1 }
    this.run = run
    this.monitor = new HeartbeatMonitor(clock.monotonic())
    port1.on('message', (message) => {
      if (this.run === run) onMessage(run, message)
    })
    // Lets the process end while the worker keeps running.
    port1.unref()
    const task: ThreadTask = { arena, control, books: ring, port: port2 }
    this.worker.run(task, [port2], (reason) => {
      if (this.run === run) this.fail(run, reason ?? 'returned')
    })
    return run
  }

  async stop(): Promise<void> {
    if (this.stopped) return
    this.stopped = true
    this.watchdog.cancel()
    const { run } = this
    this.run = null
    if (run !== null) {
      Atomics.store(run.words, controlWordIndex.stop, 1)
      run.books.flush()
      run.port.close()
    }
    await this.worker.close()
  }

  private watch(): void {
    const { run } = this
    if (run === null) return
    if (!this.monitor.look(Atomics.load(run.words, controlWordIndex.beat), this.options.clock.monotonic())) return
    this.fail(run, 'no heartbeat')
    this.worker.kill()
  }

  private fail(run: ThreadRun, reason: string): void {
    run.port.close()
    this.run = null
    this.options.failed(reason)
  }
}
