// Searches structures: another thread in production. The feeder knows only this interface.

import type { WorkerSet } from './candidateSet.ts'
import type { RefusedGroup } from './groups.ts'
import type { Structure } from './structure.ts'

/** Everything currently found in one set. */
export interface FoundInSet {
  name: string
  structures: Structure[]
  refused: RefusedGroup[]
  /** False: there may be better ones. */
  proven: boolean
  /** False: parts of it have not been looked at yet. */
  searched: boolean
}

export interface StructureEngineEvents {
  /** Sets searched since the last call. */
  found(sets: readonly FoundInSet[]): void
  /** The thread is gone: results are invalid until it has been restarted and has reported again. */
  failed(reason: string): void
}

export interface StructureEngine {
  /** Starts, also after `failed`; every set is passed and searched again. */
  start(): void
  /** Replaces the set of this name. */
  set(set: WorkerSet): void
  drop(name: string): void
  /** A book changed; the thread sees it after `flush`. */
  touch(slot: number): void
  flush(): void
  /** True: the results have no readers, so the search may idle most of the time. */
  setNoReaders(noReaders: boolean): void
  stop(): Promise<void>
}
