// Who searches structures: another thread in service. The feeder knows only this face.
import type { RefusedGroup } from './groups.ts'
import type { Structure } from './structure.ts'
import type { WorkerSet } from './workerSet.ts'

/** Of one set, all that stands now. */
export interface FoundInSet {
  name: string
  structures: Structure[]
  refused: RefusedGroup[]
  /** False: there may be better ones. */
  proven: boolean
}

export interface StructureEngineEvents {
  /** Sets that were looked at since the last time. */
  found(sets: readonly FoundInSet[]): void
  /** The thread is gone: nothing is to be believed until it was started again and said anew. */
  failed(reason: string): void
}

export interface StructureEngine {
  /** Starts, also after `failed`; every set is given and searched again. */
  start(): void
  /** Replaces the set of this name. */
  set(set: WorkerSet): void
  drop(name: string): void
  /** A book changed; seen by the thread after `flush`. */
  touch(slot: number): void
  flush(): void
  /** True: nobody reads what is found, so that the search may take most of its time off. */
  ease(eased: boolean): void
  stop(): Promise<void>
}
