// Long work in short slices: the thread answers others between them.
import type { Clock } from '#lib/clock'

/** A step of the work takes well under a millisecond; so the thread is never held much longer than this. */
const sliceMs = 5

export class Slices {
  private readonly clock: Clock
  private running = false
  private stopped = false

  constructor(clock: Clock) {
    this.clock = clock
  }

  get busy(): boolean {
    return this.running
  }

  /** One work at a time; `done` is told at its end, with what it threw if it did. */
  run(work: Iterator<void, void, void>, done: (error: unknown) => void): void {
    this.running = true
    this.slice(work, done)
  }

  stop(): void {
    this.stopped = true
  }

  private slice(work: Iterator<void, void, void>, done: (error: unknown) => void): void {
    if (this.stopped) return
    const startedAt = this.clock.now()
    let over = false
    let failure: unknown = null
    try {
      do over = work.next().done === true
      while (!over && this.clock.now() - startedAt < sliceMs)
    } catch (error) {
      over = true
      failure = error
    }
    if (!over) {
      this.clock.after(0, () => this.slice(work, done))
      return
    }
    this.running = false
    done(failure)
  }
}
