// What a watched thread and the one that watches it share.
import type { MessagePort } from 'node:worker_threads'
import type { RingMemory } from '#books/shared/index'

/** int32 words both threads look at; a task may use those from `free` on. */
export const threadWord = {
  /** Rises with every turn: who does not beat hangs. */
  beat: 0,
  /** 1: return as soon as may be. */
  stop: 1,
  free: 2,
} as const
export const controlBytes = 64

/** It beats at least this often. */
export const idleMs = 200

/** What a thread is given. */
export interface ThreadTask {
  /** The shared books, written by the feed's owner. */
  arena: SharedArrayBuffer
  control: SharedArrayBuffer
  /** Slots with news. */
  books: RingMemory
  port: MessagePort
}
