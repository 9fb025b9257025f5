// Client messages per socket. Not rate-limiter-flexible: that one allocates a promise and a keyed record per message, while a socket
// has one owner, one loop and needs two numbers; a flooder must cost less than what it floods.

export interface BucketOptions {
  /** Messages taken at once after silence. */
  burst: number
  perSecond: number
  /** Refused messages, net of refill, after which patience ends. */
  patience: number
}

export type Taken = 'ok' | 'refused' | 'exhausted'

export class Bucket {
  private tokens: number
  private at: number
  private options: BucketOptions

  constructor(options: BucketOptions, now: number) {
    this.options = options
    this.tokens = options.burst
    this.at = now
  }

  /** A larger burst, when it is one. */
  widen(burst: number): void {
    const more = burst - this.options.burst
    if (more <= 0) return
    this.options = { ...this.options, burst }
    this.tokens += more
  }

  /** What one message asks for beside itself; false: too much now, and nothing is charged. */
  takeMore(count: number): boolean {
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }

  /** Refused messages are charged too: who keeps sending goes into debt and is `exhausted` at its end. */
  take(now: number): Taken {
    const { burst, perSecond, patience } = this.options
    const elapsedMs = Math.max(0, now - this.at)
    this.tokens = Math.min(burst, this.tokens + (elapsedMs * perSecond) / 1_000) - 1
    this.at = now
    if (this.tokens >= 0) return 'ok'
    return this.tokens >= -patience ? 'refused' : 'exhausted'
  }
}
