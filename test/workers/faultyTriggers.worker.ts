// The triggers' worker with faults on demand: 1 throws, 2 loops forever, 3 ends its thread, 4 pauses for a while.

import { runTriggers } from '#workers/triggers'
import type { ThreadTask } from '#workers/workerProtocol'
import { sabotage } from './sabotage.ts'

export default function faulty(task: ThreadTask): void {
  runTriggers(task, sabotage())
}
