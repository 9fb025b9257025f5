// The thread of the surface bench: makes a full pass over the shared books on each request and reports its cost.
import { parentPort, workerData } from 'node:worker_threads'
import type { SurfacePlan } from '#arbitrage/compileSurface'
import { Surface } from '#arbitrage/surface'

export interface PassTask {
  plan: SurfacePlan
  arena: SharedArrayBuffer
}

export interface PassCost {
  ns: number
  /** Clusters with at least one changed side. */
  changed: number
}

const { plan, arena } = workerData as PassTask
let changed = 0
const surface = Surface.alone(plan, arena, () => {
  changed++
})
parentPort!.on('message', () => {
  changed = 0
  // Not the thread's CPU time, which the kernel updates only every few milliseconds.
  const before = performance.now()
  surface.pass()
  const ns = (performance.now() - before) * 1e6
  parentPort!.postMessage({ ns, changed } satisfies PassCost)
})
