// Shared by a supervised thread and its supervisor.
import type { MessagePort } from 'node:worker_threads'
import type { RingMemory } from '#core/books/shared/index'

/** int32 words shared by both threads; a task may use those from `free` on. */
export const controlWordIndex = {
  /** Incremented every turn: a thread whose beat stops is considered hung. */
  beat: 0,
  /** 1: return as soon as possible. */
  stop: 1,
  free: 2,
} as const
export const controlBytes = 64

/** It sends at least one heartbeat in this time. */
export const idleMs = 200

/** Start parameters of a thread. */
export interface ThreadTask {
  /** The shared books, written by the feed's owner. */
  arena: SharedArrayBuffer
  control: SharedArrayBuffer
  /** Slots of changed books. */
  books: RingMemory
  port: MessagePort
}
