// The triggers on a thread of their own.
import { type Clock, sharedMs } from '#core/clock'
import type { TriggerEvents } from '#orders/triggers/decision'
import { encodeOrders } from '#orders/triggers/encoding'
import type { CreateEngine, EngineEvents, TriggerEngine } from '#orders/triggers/engine'
import type { ArmedOrder } from '#orders/triggers/orders'
import { workerFile } from './pool.ts'
import { SupervisedWorker, type ThreadRun } from './supervisedWorker.ts'
import { catchUpMs, control, hungAfterMs, mailSlot, type SharedMailbox } from './triggers.ts'

export interface TriggerEngineOptions {
  /** The shared books, written by the feed's owner. */
  arena: SharedArrayBuffer
  /** Number of books that fit into the arena. */
  slots: number
  clock: Clock
  /** Another worker file, for tests. */
  filename?: string
  workerData?: unknown
}

export const triggerEngine =
  (options: TriggerEngineOptions): CreateEngine =>
  (events) =>
    new WorkerEngine(options, events)

class WorkerEngine implements TriggerEngine {
  private readonly mailSlot: number
  private readonly events: EngineEvents
  private readonly thread: SupervisedWorker

  constructor({ filename, slots, ...options }: TriggerEngineOptions, events: EngineEvents) {
    this.events = events
    this.mailSlot = mailSlot(slots)
    this.thread = new SupervisedWorker({
      ...options,
      slots: this.mailSlot + 1,
      filename: filename ?? workerFile('triggers'),
      onMessage: (run, notices) => this.receive(run, notices as TriggerEvents),
      failed: (reason) => events.failed(reason),
    })
  }

  get armed(): number {
    const { run } = this.thread
    return run === null ? 0 : Atomics.load(run.words, control.armed)
  }

  get isAwake(): boolean {
    const { run } = this.thread
    if (run === null) return false
    const now = sharedMs()
    const since = (word: number): number => (now - Atomics.load(run.words, word)) | 0
    return since(control.reportedAt) <= hungAfterMs && since(control.stalledAt) >= catchUpMs
  }

  start(): void {
    this.thread.start()
  }

  arm(orders: readonly ArmedOrder[]): void {
    const packed = encodeOrders(orders)
    this.post({ arm: packed }, [packed.buffer])
  }

  disarm(handles: readonly number[]): void {
    this.post({ disarm: handles })
  }

  touch(slot: number): void {
    // Never full: the ring has room for every slot twice.
    this.thread.run?.books.push(slot)
  }

  flush(): void {
    this.thread.run?.books.flush()
  }

  stop(): Promise<void> {
    return this.thread.stop()
  }

  private receive(run: ThreadRun, notices: TriggerEvents): void {
    this.events.notified(notices)
    // There may be more, and the worker may be asleep.
    Atomics.store(run.words, control.noticesPending, 0)
    this.wake(run)
  }

  private post(mail: SharedMailbox, transfer: ArrayBuffer[] = []): void {
    const { run } = this.thread
    if (run === null) return
    run.port.postMessage(mail, transfer)
    this.wake(run)
  }

  private wake({ books }: ThreadRun): void {
    books.push(this.mailSlot)
    books.flush()
  }
}
