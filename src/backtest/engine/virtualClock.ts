// The time of a backtest. It moves only when the engine moves it; timers fire in due order, ties in the order they were set.

interface Entry {
  at: number
  order: number
  run: (() => void) | null
}

/** Cancelled entries are removed when they are due, or when they are this many and most of all. */
const cancelledMax = 4_096

export class VirtualClock {
  private time: number
  private order = 0
  private cancelled = 0
  /** Binary heap by due time, then order. */
  private heap: Entry[] = []

  constructor(startMs: number) {
    this.time = startMs
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.time
  }

  /** Runs once, at a whole millisecond; the returned function cancels it. */
  after = (ms: number, run: () => void): (() => void) => {
    // Rounding of floating-point numbers may leave a time slightly above a whole millisecond.
    const entry: Entry = { at: Math.ceil(this.time + Math.max(0, ms) - 1e-3), order: this.order++, run }
    this.push(entry)
    return () => {
      if (entry.run === null) return
      entry.run = null
      this.cancelled += 1
      if (this.cancelled > cancelledMax && this.cancelled * 2 > this.heap.length) this.compact()
    }
  }

  /** When the next timer is due; null: none is set. */
  nextAt(): number | null {
    while (this.heap.length > 0 && this.heap[0]!.run === null) {
      this.pop()
      this.cancelled -= 1
    }
    return this.heap[0]?.at ?? null
  }

  moveTo(at: number): void {
    if (at > this.time) this.time = at
  }

  /** Fires what is due now; timers that these set wait for the next call. True if any fired. */
  fireDue(): boolean {
    const before = this.order
    let fired = false
    const later: Entry[] = []
    for (let at = this.nextAt(); at !== null && at <= this.time; at = this.nextAt()) {
      const entry = this.pop()!
      if (entry.order >= before) {
        later.push(entry)
        continue
      }
      const { run } = entry
      entry.run = null
      fired = true
      run!()
    }
    for (const entry of later) this.push(entry)
    return fired
  }

  private compact(): void {
    const kept = this.heap.filter(({ run }) => run !== null)
    this.heap = []
    this.cancelled = 0
    for (const entry of kept) this.push(entry)
  }

  private push(entry: Entry): void {
    const { heap } = this
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(entry, heap[above]!)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = entry
  }

  private pop(): Entry | undefined {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1
      if (!isBefore(heap[below]!, last)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = last
    return first
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
