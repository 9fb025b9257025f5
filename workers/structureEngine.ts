// The structures on a thread of their own, so that a long search never delays a row of the two-leg surface.

import type { WorkerSet } from '#arbitrage/structures/candidateSet'
import type { FoundInSet, StructureEngine, StructureEngineEvents } from '#arbitrage/structures/engine'
import type { Clock } from '#core/clock'
import { workerFile } from './pool.ts'
import { control, type StructureCommand } from './structures.ts'
import { SupervisedWorker } from './supervisedWorker.ts'

export interface StructureEngineOptions {
  /** The shared books, written by the feed's owner. */
  arena: SharedArrayBuffer
  /** Number of books that fit into the arena. */
  slots: number
  clock: Clock
}

export const structureEngine =
  (options: StructureEngineOptions) =>
  (events: StructureEngineEvents): StructureEngine =>
    new WorkerStructures(options, events)

class WorkerStructures implements StructureEngine {
  private readonly thread: SupervisedWorker
  private readonly sets = new Map<string, WorkerSet>()
  private noReaders = false

  constructor(options: StructureEngineOptions, events: StructureEngineEvents) {
    this.thread = new SupervisedWorker({
      ...options,
      filename: workerFile('structures'),
      onMessage: ({ words }, message) => {
        Atomics.store(words, control.resultPending, 0)
        // A set that was dropped while this was in transit no longer has an owner.
        events.found((message as FoundInSet[]).filter(({ name }) => this.sets.has(name)))
      },
      failed: (reason) => events.failed(reason),
    })
  }

  start(): void {
    const run = this.thread.start()
    if (run === null) return
    this.publishNoReaders()
    for (const set of this.sets.values()) this.send({ kind: 'set', set })
    this.flush()
  }

  set(set: WorkerSet): void {
    this.sets.set(set.name, set)
    this.send({ kind: 'set', set })
  }

  drop(name: string): void {
    if (this.sets.delete(name)) this.send({ kind: 'drop', name })
  }

  touch(slot: number): void {
    const { run } = this.thread
    // A full ring loses nothing: every group is checked instead.
    if (run !== null && !run.books.push(slot)) this.send({ kind: 'pass' })
  }

  flush(): void {
    this.thread.run?.books.flush()
  }

  setNoReaders(noReaders: boolean): void {
    if (this.noReaders === noReaders) return
    this.noReaders = noReaders
    this.publishNoReaders()
  }

  stop(): Promise<void> {
    return this.thread.stop()
  }

  private publishNoReaders(): void {
    const { run } = this.thread
    if (run === null) return
    Atomics.store(run.words, control.noReaders, this.noReaders ? 1 : 0)
    // Wakes a paused search as soon as there is a reader.
    Atomics.notify(run.words, control.noReaders)
    run.books.flush()
  }

  private send(command: StructureCommand): void {
    this.thread.run?.port.postMessage(command)
  }
}
