// The triggers' worker, sabotaged on demand: 1 throws, 2 loops for ever, 3 ends its thread, 4 stands still for a while.

import { runTriggers } from '#workers/triggers'
import type { ThreadTask } from '#workers/workerProtocol'
import { sabotage } from './sabotage.ts'

export default function faulty(task: ThreadTask): void {
  runTriggers(task, sabotage())
}
