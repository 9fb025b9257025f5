// Long work in short slices: the thread can do other work between them.
import type { Clock } from '#core/clock'

/**
 * A step of the work takes well under a millisecond, so the thread is held this long, plus any garbage collection in the same turn of the
 * event loop.
 */
const sliceMs = 2

export class TimeSlicer {
  private readonly clock: Clock
  private running = false
  private stopped = false
  /** When the current turn must end; null outside one. */
  private until: number | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  get busy(): boolean {
    return this.running
  }

  /** One work at a time; `done` is called at its end, with the error if it threw. What `done` begins shares its turn. */
  run(work: Iterator<void, void, void>, done: (error: unknown) => void): void {
    this.running = true
    if (this.until === null) this.turn(() => this.slice(work, done))
    else this.slice(work, done)
  }

  stop(): void {
    this.stopped = true
  }

  private slice(work: Iterator<void, void, void>, done: (error: unknown) => void): void {
    let over = false
    let failure: unknown = null
    try {
      do over = work.next().done === true
      while (!over && this.left() > 0)
    } catch (error) {
      over = true
      failure = error
    }
    if (!over) this.later(() => this.slice(work, done))
    // The continuation may take as long again: it gets a turn of its own, unless this one has hardly begun.
    else if (this.left() < sliceMs / 2) this.later(() => this.end(done, failure))
    else this.end(done, failure)
  }

  private end(done: (error: unknown) => void, failure: unknown): void {
    this.running = false
    done(failure)
  }

  private left(): number {
    return (this.until ?? 0) - this.clock.monotonic()
  }

  private later(act: () => void): void {
    this.clock.after(0, () => {
      if (!this.stopped) this.turn(act)
    })
  }

  private turn(act: () => void): void {
    this.until = this.clock.monotonic() + sliceMs
    try {
      act()
    } finally {
      this.until = null
    }
  }
}
