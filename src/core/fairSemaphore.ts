// Bounds expensive work: a limit in total and per key, keys served in turn, the queue bounded.
import { Fault } from './fault.ts'

export interface FairGateLimits {
  /** Concurrent pieces of work. */
  inAll: number
  perKey: number
  /** Maximum waiting pieces; the next is refused. */
  waitingInAll: number
  waitingPerKey: number
  /** Message of the refusal. */
  refusal: string
}

interface Lane {
  running: number
  waiting: (() => void)[]
}

export class FairSemaphore {
  private readonly limits: FairGateLimits
  /** In the order in which they are served next. */
  private readonly lanes = new Map<string, Lane>()
  private running = 0
  private waiting = 0

  constructor(limits: FairGateLimits) {
    this.limits = limits
  }

  /**
   * Throws RATE_LIMITED when too much waits already, otherwise what `work` throws. Once `signal` aborts, work that still waits leaves the
   * queue and never starts; work that runs keeps its slot until it ends.
   */
  async run<T>(key: string, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(key, signal)
    try {
      if (signal?.aborted === true) throw disconnected()
      return await work()
    } finally {
      this.leave(key)
    }
  }

  private enter(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { inAll, perKey, waitingInAll, waitingPerKey } = this.limits
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] }
    if (this.running < inAll && lane.running < perKey && lane.waiting.length === 0) {
      this.lanes.set(key, lane)
      this.begin(lane)
      return Promise.resolve()
    }
    if (this.waiting >= waitingInAll || lane.waiting.length >= waitingPerKey) {
      throw new Fault('RATE_LIMITED', this.limits.refusal, { retryAfterSeconds: 1 })
    }
    this.lanes.set(key, lane)
    this.waiting++
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1)
        this.waiting--
        this.forget(key, lane)
        reject(disconnected())
      }
      const start = (): void => {
        signal?.removeEventListener('abort', leaveQueue)
        resolve()
      }
      lane.waiting.push(start)
      signal?.addEventListener('abort', leaveQueue, { once: true })
    })
  }

  private leave(key: string): void {
    const left = this.lanes.get(key)!
    left.running--
    this.running--
    this.forget(key, left)
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

  private forget(key: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.lanes.delete(key)
  }
}

/** This response has no reader; its status is for the metrics. */
const disconnected = (): Fault => new Fault('BAD_REQUEST', 'the client disconnected', { status: 499 })
