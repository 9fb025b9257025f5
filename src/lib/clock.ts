// All time comes from here. Production uses `systemClock`; tests and the simulation turn a `ManualClock` by hand.

/** A running timer; `cancel` is harmless when it already fired. */
export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since some moment in the past. Never steps: what only measures how long something took or lasts asks for this. */
  monotonic(): number
  /** Runs once after `delayMs`. */
  after(delayMs: number, run: () => void): Timer
  /** Runs every `intervalMs` until cancelled. */
  every(intervalMs: number, run: () => void): Timer
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const handle = setTimeout(run, delayMs)
    return { cancel: () => clearTimeout(handle) }
  },
  every(intervalMs, run) {
    const handle = setInterval(run, intervalMs)
    return { cancel: () => clearInterval(handle) }
  },
}

interface Due {
  at: number
  order: number
  run: () => void
  everyMs: number | null
}

/** A clock that stands still until `advance` is called; timers fire in due order, ties in the order they were set. */
export class ManualClock implements Clock {
  private time: number
  private order = 0
  private readonly pending = new Set<Due>()

  constructor(startMs = 1_790_000_000_000) {
    this.time = startMs
  }

  now(): number {
    return this.time
  }

  monotonic(): number {
    return this.time
  }

  after(delayMs: number, run: () => void): Timer {
    return this.schedule(delayMs, run, null)
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

  /** As for a process that was stopped: time passes, and no timer fires before the next `advance`. */
  stall(byMs: number): void {
    this.time += byMs
  }

  /** How many timers wait: a test asserts 0 after stop. */
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
