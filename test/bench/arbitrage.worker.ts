// The thread of the surface bench: makes a full pass over the shared books whenever it is told to, and says what it cost.
import { parentPort, workerData } from 'node:worker_threads'
import type { SurfacePlan } from '#arbitrage/compileSurface'
import { Surface } from '#arbitrage/surface'

export interface PassTask {
  plan: SurfacePlan
  arena: SharedArrayBuffer
}

export interface PassCost {
  ns: number
  /** Clusters in which a side was found changed. */
  changed: number
}

const { plan, arena } = workerData as PassTask
let changed = 0
const surface = Surface.alone(plan, arena, () => {
  changed++
})
parentPort!.on('message', () => {
  changed = 0
  // Not the processor time of the thread: the kernel brings that up to date every few milliseconds only.
  const before = performance.now()
  surface.pass()
  const ns = (performance.now() - before) * 1e6
  parentPort!.postMessage({ ns, changed } satisfies PassCost)
})
