// Which hashes of one asset's book matched, and when the next one is due.
import { UNKNOWN } from './unknown.ts'

/** Minimum time between hashes of one book: each takes some 30 us for a hundred levels. */
export const checksumIntervalMs = 250
/** A book that did not match is checked again at the first change after this time. */
export const hashConfirmMs = 250
/** Hashes of an asset without any match before no more are tried until its next snapshot. */
const triesMax = 5

export interface HashShape {
  minOrderSize: string
  negRisk: boolean
  /** The last trade's price as `0.870`, otherwise as `0.87`. */
  padded: boolean
}

/** State of an asset's hash checks. Times are of receipt, epoch ms. */
export class HashState {
  /** The shape of the last matching hash; null before one. */
  shape: HashShape | null = null
  tries = 0
  checkedAt = 0
  /** Time of a mismatch with no hash since; 0: none. */
  mismatchAt = 0
  /** The last matching hash: when it repeats with a different book, the venue did not recompute it. */
  fitted = ''
  lastTradeMicros = UNKNOWN

  /**
   * A snapshot has replaced the book, or there was a trade. Snapshots after the first do not always include the price.
   */
  renew(lastTradeMicros: number): void {
    if (lastTradeMicros !== this.lastTradeMicros) this.shape = null
    if (lastTradeMicros !== UNKNOWN) this.lastTradeMicros = lastTradeMicros
    this.mismatchAt = 0
    this.tries = 0
  }

  isDue(recvTs: number): boolean {
    if (this.mismatchAt !== 0) return Math.abs(recvTs - this.mismatchAt) >= hashConfirmMs
    return Math.abs(recvTs - this.checkedAt) >= checksumIntervalMs && this.tries < triesMax
  }
}
