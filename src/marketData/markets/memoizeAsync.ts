// A bounded cache of answers that may be old: newest in, oldest out, each with its own expiry.
import type { Clock } from '#core/clock'

interface Kept<V> {
  value: V
  untilMs: number
}

export class AsyncCache<V> {
  private readonly kept = new Map<string, Kept<V>>()
  private readonly entriesMax: number
  private readonly clock: Clock

  constructor(entriesMax: number, clock: Clock) {
    this.entriesMax = entriesMax
    this.clock = clock
  }

  /** Undefined when unknown or expired. */
  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (found === undefined) return undefined
    if (found.untilMs > this.clock.monotonic()) return found.value
    this.kept.delete(key)
    return undefined
  }

  set(key: string, value: V, forMs: number): void {
    this.kept.delete(key)
    if (this.kept.size >= this.entriesMax) {
      const oldest = this.kept.keys().next()
      if (oldest.done !== true) this.kept.delete(oldest.value)
    }
    this.kept.set(key, { value, untilMs: this.clock.monotonic() + forMs })
  }
}
