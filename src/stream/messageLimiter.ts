// Rate limit of client messages per socket. Not rate-limiter-flexible: it allocates a promise and a keyed record per message, while
// a socket has one owner, one loop and needs one bucket; rejecting a flood must be cheap.
import { type BucketRate, TokenBucket } from '#core/tokenBucket'

/** `burst`: messages accepted at once after silence. */
export interface MessageRate extends BucketRate {
  /** Refused messages, net of refill, until the limit is exhausted. */
  patience: number
}

export type TakeResult = 'ok' | 'refused' | 'exhausted'

export class MessageLimiter {
  private readonly bucket: TokenBucket
  private readonly patience: number

  constructor(rate: MessageRate, now: number) {
    this.bucket = new TokenBucket(rate, now)
    this.patience = rate.patience
  }

  /** Enlarges the burst, never shrinks it. */
  widen(burst: number): void {
    this.bucket.widen(burst)
  }

  /** Charges the extra operations of one message; false: too many now, and nothing is charged. */
  takeMore(count: number): boolean {
    if (this.bucket.level < count) return false
    this.bucket.spend(count)
    return true
  }

  /** Refused messages are charged too: a client that keeps sending goes into debt and ends `exhausted`. */
  take(now: number): TakeResult {
    this.bucket.fill(now)
    this.bucket.spend(1)
    const { level } = this.bucket
    if (level >= 0) return 'ok'
    return level >= -this.patience ? 'refused' : 'exhausted'
  }
}
