// Bounds CPU-heavy work: a limit in total and per key, keys served in turn, the queue bounded.
import { Fault } from './fault.ts'

export interface FairGateLimits {
  /** Concurrent pieces of work. */
  inAll: number
  perKey: number
  /** Maximum waiting pieces; the next is refused. */
  waitingInAll: number
  waitingPerKey: number
}

interface Lane {
  running: number
  waiting: (() => void)[]
}

export class FairGate {
  private readonly limits: FairGateLimits
  /** In the order in which they are served next. */
  private readonly lanes = new Map<string, Lane>()
  private running = 0
  private waiting = 0

  constructor(limits: FairGateLimits) {
    this.limits = limits
  }

  /** Throws RATE_LIMITED when too much waits already, otherwise what `work` throws. */
  async run<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    await this.enter(key)
    try {
      return await work()
    } finally {
      this.leave(key)
    }
  }

  private enter(key: string): Promise<void> {
    const { inAll, perKey, waitingInAll, waitingPerKey } = this.limits
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] }
    if (this.running < inAll && lane.running < perKey && lane.waiting.length === 0) {
      this.lanes.set(key, lane)
      this.begin(lane)
      return Promise.resolve()
    }
    if (this.waiting >= waitingInAll || lane.waiting.length >= waitingPerKey) {
      throw new Fault('RATE_LIMITED', 'too many signatures are waiting to be made or checked', { retryAfterSeconds: 1 })
    }
    this.lanes.set(key, lane)
    this.waiting++
    return new Promise((resolve) => lane.waiting.push(resolve))
  }

  private leave(key: string): void {
    const left = this.lanes.get(key)!
    left.running--
    this.running--
    if (left.running === 0 && left.waiting.length === 0) this.lanes.delete(key)
    // Only full lanes are skipped: no more than are running.
    for (const [next, lane] of this.lanes) {
      if (lane.waiting.length === 0 || lane.running >= this.limits.perKey) continue
      this.waiting--
      this.begin(lane)
      this.lanes.delete(next)
      this.lanes.set(next, lane)
      lane.waiting.shift()!()
      return
    }
  }

  private begin(lane: Lane): void {
    lane.running++
    this.running++
  }
}
