// The surface's worker, sabotaged on demand: 1 throws, 2 loops for ever, 3 ends its thread.
import { workerData } from 'node:worker_threads'
import { runSurface } from '#workers/surface'
import type { ThreadTask } from '#workers/threadTask'

export default function faulty(task: ThreadTask): void {
  // piscina hands its own word beside the one given.
  const given: unknown = Array.isArray(workerData) ? workerData[1] : workerData
  const orders = new Int32Array(given as SharedArrayBuffer)
  runSurface(task, () => {
    const order = Atomics.exchange(orders, 0, 0)
    if (order === 1) throw new Error('sabotage')
    if (order === 3) process.exit(3)
    if (order === 2) for (;;) Atomics.add(orders, 1, 1)
  })
}
