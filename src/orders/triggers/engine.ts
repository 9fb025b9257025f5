// Evaluates armed orders against their books: in production on another thread. The actor only knows this interface.
import type { TriggerEvents } from './decision.ts'
import type { ArmedOrder } from './orders.ts'

export interface EngineEvents {
  notified(notices: TriggerEvents): void
  /** The worker is gone, and with it everything armed, counted and decided but not reported. */
  failed(reason: string): void
}

export interface TriggerEngine {
  /** Orders it currently holds. */
  readonly armed: number
  /**
   * Whether its reports are current. While it is stalled, a book leaving its level goes unnoticed, and none of its decisions may be acted
   * on.
   */
  readonly isAwake: boolean
  /** Starts, also after `failed`, with nothing armed. */
  start(): void
  /** One with the same handle is replaced. Lost while nothing runs. */
  arm(orders: readonly ArmedOrder[]): void
  disarm(handles: readonly number[]): void
  /** A book changed; seen by the worker after `flush`. */
  touch(slot: number): void
  flush(): void
  stop(): Promise<void>
}

export type CreateEngine = (events: EngineEvents) => TriggerEngine
