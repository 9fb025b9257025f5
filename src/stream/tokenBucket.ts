// Rate limit of client messages per socket. Not rate-limiter-flexible: it allocates a promise and a keyed record per message, while
// a socket has one owner, one loop and needs two numbers; rejecting a flood must be cheap.

export interface BucketOptions {
  /** Messages accepted at once after silence. */
  burst: number
  perSecond: number
  /** Refused messages, net of refill, until the bucket is exhausted. */
  patience: number
}

export type TakeResult = 'ok' | 'refused' | 'exhausted'

export class Bucket {
  private tokens: number
  private at: number
  private options: BucketOptions

  constructor(options: BucketOptions, now: number) {
    this.options = options
    this.tokens = options.burst
    this.at = now
  }

  /** Enlarges the burst, never shrinks it. */
  widen(burst: number): void {
    const more = burst - this.options.burst
    if (more <= 0) return
    this.options = { ...this.options, burst }
    this.tokens += more
  }

  /** Charges the extra operations of one message; false: too many now, and nothing is charged. */
  takeMore(count: number): boolean {
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }

  /** Refused messages are charged too: a client that keeps sending goes into debt and ends `exhausted`. */
  take(now: number): TakeResult {
    const { burst, perSecond, patience } = this.options
    const elapsedMs = Math.max(0, now - this.at)
    this.tokens = Math.min(burst, this.tokens + (elapsedMs * perSecond) / 1_000) - 1
    this.at = now
    if (this.tokens >= 0) return 'ok'
    return this.tokens >= -patience ? 'refused' : 'exhausted'
  }
}
