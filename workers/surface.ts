// The surface's thread: books arrive by a ring of dirty slots, plans by message, results go to shared memory. It blocks only on the
// ring, so that a changed book is priced within microseconds.
import { receiveMessageOnPort } from 'node:worker_threads'
import type { SurfacePlan } from '#arbitrage/compileSurface'
import { Surface } from '#arbitrage/surface'
import type { TableMemory } from '#arbitrage/table'
import { RingConsumer, type RingMemory, RingProducer } from '#core/books/shared/index'
import { controlWordIndex, idleMs, type ThreadTask } from './workerProtocol.ts'

/** int32 words shared by both threads. */
export const control = {
  /** Full passes requested. */
  wanted: controlWordIndex.free,
  /** Full passes completed. */
  done: controlWordIndex.free + 1,
  /** 1 while a note to the main thread is in transit. */
  noticePending: controlWordIndex.free + 2,
  /** Version of the plan of the last full pass. */
  plan: controlWordIndex.free + 3,
} as const

export interface SurfaceLoad {
  /** Above 0. */
  version: number
  plan: SurfacePlan
  table: TableMemory
  /** Clusters whose results changed. */
  changed: RingMemory
}

export default function surface(task: ThreadTask): void {
  runSurface(task)
}

/** `eachTurn` lets tests disturb it. */
export function runSurface({ arena, control: memory, books, port }: ThreadTask, eachTurn?: () => void): void {
  const words = new Int32Array(memory)
  const dirty = new RingConsumer(books)
  const held: { surface: Surface; changed: RingProducer; version: number }[] = []
  let lastRequested = 0
  const visit = (slot: number): void => held[0]?.surface.dirty(slot)

  const note = (changed: RingProducer): void => {
    changed.flush()
    if (Atomics.exchange(words, control.noticePending, 1) === 0) port.postMessage(null)
  }

  /** True when there is a plan not yet computed. */
  const load = (): boolean => {
    let loaded = false
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      const { version, plan, table, changed: ring } = next.message as SurfaceLoad
      const changed = new RingProducer(ring)
      held[0] = { surface: new Surface(plan, arena, table, (cluster) => changed.push(cluster)), changed, version }
      loaded = true
    }
    return loaded
  }

  while (Atomics.load(words, controlWordIndex.stop) === 0) {
    Atomics.add(words, controlWordIndex.beat, 1)
    eachTurn?.()
    const loaded = load()
    const [current] = held
    const wanted = Atomics.load(words, control.wanted)
    if (current !== undefined && (loaded || wanted !== lastRequested)) {
      lastRequested = wanted
      current.surface.pass()
      Atomics.store(words, control.plan, current.version)
      Atomics.add(words, control.done, 1)
      note(current.changed)
    }
    dirty.drain(visit)
    if (current !== undefined && current.surface.due > 0) {
      current.surface.recompute()
      note(current.changed)
      // A book that is being written is retried at once.
      if (current.surface.due > 0) continue
    }
    dirty.wait(idleMs)
  }
  port.close()
}
