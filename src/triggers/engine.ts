// Who holds armed orders against their books: another thread in service. The actor knows only this face.
import type { Notices } from './decision.ts'
import type { ArmedOrder } from './orders.ts'

export interface EngineEvents {
  told(notices: Notices): void
  /** The worker is gone, and with it all that was armed, counted and decided but not told. */
  failed(reason: string): void
}

export interface TriggerEngine {
  /** Orders it holds now. */
  readonly armed: number
  /**
   * What it has told is what it says now. While it stands still nobody hears that a book has left, and none of its decisions is to be acted on.
   */
  readonly isAwake: boolean
  /** Starts, also after `failed`, with nothing armed. */
  start(): void
  /** One that it holds under the same handle is replaced. Lost while nothing runs. */
  arm(orders: readonly ArmedOrder[]): void
  disarm(handles: readonly number[]): void
  /** A book changed; seen by the worker after `flush`. */
  touch(slot: number): void
  flush(): void
  stop(): Promise<void>
}

export type CreateEngine = (events: EngineEvents) => TriggerEngine
