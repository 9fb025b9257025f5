// The thread of the surface bench: makes full passes over the shared books and says what each cost.
import { parentPort, workerData } from 'node:worker_threads'
import type { SurfacePlan } from '#arbitrage/plan'
import { Surface } from '#arbitrage/surface'
import { cpuNsPerCall } from './bench.ts'

export interface PassTask {
  plan: SurfacePlan
  arena: SharedArrayBuffer
  passes: number
}

const { plan, arena, passes } = workerData as PassTask
const surface = Surface.alone(plan, arena)
parentPort!.postMessage({ passNs: cpuNsPerCall(() => surface.pass(), { calls: passes }), busy: surface.busy })
