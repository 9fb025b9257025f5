// The source of all time. Production uses `systemClock`; tests and the simulation advance a `ManualClock`.

/** A running timer; `cancel` is harmless when it already fired. */
export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Epoch milliseconds on the machine's clock: for display, signing and storage. It steps when it is set. */
  now(): number
  /** Milliseconds since some moment in the past, per thread. Never steps: for every age, deadline, expiry and pace. */
  monotonic(): number
  /** Epoch milliseconds, as `now` would show them if the clock had not been set since this program began. Falls behind while the machine sleeps. */
  steady(): number
  /** Runs once after `delayMs`. */
  after(delayMs: number, run: () => void): Timer
  /** Runs once, after everything that has already arrived was handled. Sooner than `after(0)`, which waits for a millisecond to pass. */
  soon(run: () => void): Timer
  /** Runs every `intervalMs` until cancelled. */
  every(intervalMs: number, run: () => void): Timer
}

/** Whole milliseconds of a clock that never steps and is shared by all threads of this process, as an int32: only differences are meaningful. */
export const sharedMs = (): number => Number(process.hrtime.bigint() / 1_000_000n) | 0

const beganAtMs = Date.now() - performance.now()

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  steady: () => beganAtMs + performance.now(),
  after(delayMs, run) {
    const handle = setTimeout(run, delayMs)
    return { cancel: () => clearTimeout(handle) }
  },
  soon(run) {
    const handle = setImmediate(run)
    return { cancel: () => clearImmediate(handle) }
  },
  every(intervalMs, run) {
    const handle = setInterval(run, intervalMs)
    return { cancel: () => clearInterval(handle) }
  },
}

/** For conclusions from elapsed time: setting the clock forward makes nothing older. */
export const lowerBoundNow = (clock: Pick<Clock, 'now' | 'steady'>): number => Math.min(clock.now(), clock.steady())
/** For timestamps that `lowerBoundNow` is compared with: a clock that was set back does not date them too early. */
export const upperBoundNow = (clock: Pick<Clock, 'now' | 'steady'>): number => Math.max(clock.now(), clock.steady())

interface Due {
  at: number
  order: number
  run: () => void
  everyMs: number | null
}

/** A clock that advances only by `advance`; timers fire in due order, ties in the order they were set. */
export class ManualClock implements Clock {
  private time: number
  /** How far the wall clock was set from where it began. */
  private steppedMs = 0
  private readonly startMs: number
  private order = 0
  private readonly pending = new Set<Due>()

  constructor(startMs = 1_790_000_000_000) {
    this.time = startMs
    this.startMs = startMs
  }

  now(): number {
    return this.time + this.steppedMs
  }

  monotonic(): number {
    return this.time - this.startMs
  }

  steady(): number {
    return this.time
  }

  /** Sets the wall clock: no time passes, and no timer moves. */
  step(byMs: number): void {
    this.steppedMs += byMs
  }

  after(delayMs: number, run: () => void): Timer {
    return this.schedule(delayMs, run, null)
  }

  soon(run: () => void): Timer {
    return this.schedule(0, run, null)
  }

  every(intervalMs: number, run: () => void): Timer {
    return this.schedule(intervalMs, run, intervalMs)
  }

  /** Moves time forward, firing every timer that falls due on the way. */
  advance(byMs: number): void {
    const target = this.time + byMs
    for (let due = this.nextDue(target); due !== null; due = this.nextDue(target)) {
      this.time = Math.max(this.time, due.at)
      if (due.everyMs === null) this.pending.delete(due)
      else due.at += due.everyMs
      due.run()
    }
    this.time = target
  }

  /** Like a stopped process: time passes, and no timer fires before the next `advance`. */
  stall(byMs: number): void {
    this.time += byMs
  }

  /** When the next timer is due, on the monotonic clock; null: none is set. */
  get nextDueAt(): number | null {
    const due = this.nextDue(Number.POSITIVE_INFINITY)
    return due === null ? null : due.at - this.startMs
  }

  /** Number of waiting timers: a test asserts 0 after stop. */
  get pendingCount(): number {
    return this.pending.size
  }

  private schedule(delayMs: number, run: () => void, everyMs: number | null): Timer {
    const due: Due = { at: this.time + Math.max(0, delayMs), order: this.order++, run, everyMs }
    this.pending.add(due)
    return { cancel: () => this.pending.delete(due) }
  }

  private nextDue(target: number): Due | null {
    let first: Due | null = null
    for (const due of this.pending) {
      if (due.at > target) continue
      if (first === null || due.at < first.at || (due.at === first.at && due.order < first.order)) first = due
    }
    return first
  }
}
