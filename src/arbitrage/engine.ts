// Computes the surface: another thread in production, this one in tests. The actor knows only this interface.
import type { SurfacePlan } from './compileSurface.ts'
import { Surface } from './surface.ts'
import { createTable, type SurfaceTable } from './table.ts'

export interface EngineEvents {
  /** Something was computed; `full`: including a whole pass over the plan last loaded. */
  passed(full: boolean): void
  /** The worker is gone. Results are invalid until it has been restarted and has made a full pass. */
  failed(reason: string): void
}

export interface SurfaceEngine {
  /** Results of the plan last loaded; null before. Read a cluster with `copyCluster`. */
  readonly table: SurfaceTable | null
  /** Starts, also after `failed`; the plan last loaded is loaded again and computed in full. */
  start(): void
  /** Replaces the plan, which is computed in full as soon as possible. The table is a new one. */
  load(plan: SurfacePlan): void
  /** A book changed; the worker sees it after `flush`. */
  touch(slot: number): void
  flush(): void
  /** Requests a full pass. */
  requestPass(): void
  /** Visits clusters whose results changed since they were last visited; at most `max`. */
  drain(visit: (cluster: number) => void, max: number): number
  stop(): Promise<void>
}

export type CreateEngine = (events: EngineEvents) => SurfaceEngine

/** The engine without a thread: `flush` and `requestPass` compute before they return. */
export const inlineEngine =
  (arena: SharedArrayBuffer): CreateEngine =>
  (events) => {
    let surface: Surface | null = null
    let plan: SurfacePlan | null = null
    let running = false
    const changed = new Set<number>()
    const begin = (): void => {
      if (plan === null || !running) return
      changed.clear()
      surface = new Surface(plan, arena, createTable(plan), (cluster) => changed.add(cluster))
      surface.pass()
      events.passed(true)
    }
    return {
      get table() {
        return surface?.table ?? null
      },
      start() {
        running = true
        begin()
      },
      load(next) {
        plan = next
        begin()
      },
      touch: (slot) => surface?.dirty(slot),
      flush() {
        if (running && surface !== null && surface.recompute() > 0) events.passed(false)
      },
      requestPass() {
        if (!running || surface === null) return
        surface.pass()
        events.passed(true)
      },
      drain(visit, max) {
        let count = 0
        for (const cluster of changed) {
          if (count === max) break
          changed.delete(cluster)
          visit(cluster)
          count++
        }
        return count
      },
      async stop() {
        running = false
      },
    }
  }
