// Calls that wait their turn at a venue. The library queues them; its own counter is on the wall's clock, and a clock set back by an hour
// would let them wait for an hour.
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '#lib/clock'
import { createWindows, type Windows } from '#lib/windows'

class MonotonicLimiter extends RateLimiterMemory {
  private readonly windows: Windows

  constructor(requestsPerSecond: number, clock: Pick<Clock, 'monotonic'>) {
    super({ points: requestsPerSecond, duration: 1 })
    this.windows = createWindows(clock, 1_000)
  }

  override consume(key: string | number, cost = 1): Promise<RateLimiterRes> {
    const { taken, leftMs } = this.windows.take(String(key), cost)
    const result = new RateLimiterRes(Math.max(0, this.points - taken), Math.ceil(leftMs), taken, taken === cost)
    // The library tells a refusal by rejecting with the result itself.
    return taken > this.points ? Promise.reject(result) : Promise.resolve(result)
  }
}

/** `waitingMax`: calls that may wait; `removeTokens` rejects for more. */
export const createRateQueue = (
  { requestsPerSecond, waitingMax }: { requestsPerSecond: number; waitingMax: number },
  clock: Pick<Clock, 'monotonic'>,
): RateLimiterQueue =>
  new RateLimiterQueue(new MonotonicLimiter(requestsPerSecond, clock), { maxQueueSize: waitingMax })
