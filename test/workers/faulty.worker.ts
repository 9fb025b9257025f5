// The surface's worker with faults on demand: 1 throws, 2 loops forever, 3 ends its thread.
import { runSurface } from '#workers/surface'
import type { ThreadTask } from '#workers/workerProtocol'
import { sabotage } from './sabotage.ts'

export default function faulty(task: ThreadTask): void {
  runSurface(task, sabotage())
}
