// One account's credits as this process holds them. Every credit taken from the lease is in exactly one place:
//
//   remaining ─reserve─► reserved ─keep─► spent ─cut─► settling ─settled─► gone
//       ▲                   │release
//       └───────────────────┘         remaining ─idle, excess, lost─► givingBack ─cut, settled─► the balance

import { leaseMin } from './leaseSize.ts'

export class AccountCredits {
  readonly accountId: string
  remaining = 0
  reserved = 0
  spent = 0
  settling = 0
  givingBack = 0
  /** In the books when last read. */
  balance = 0
  /** What was left right after the last lease: below half of it a renewal starts. */
  size = 0
  /** The unheld part of it at that time. */
  available = 0
  /** When its plan, and the month, were last checked. On the monotonic clock, like all times here. */
  checkedAt = Number.NEGATIVE_INFINITY
  /** The month it was checked for. */
  checkedMonth = ''
  /** Target size of the next lease. */
  target = leaseMin
  leasedAt = Number.NEGATIVE_INFINITY
  /** Unlimited, as far as known until then. */
  unlimitedUntil = 0
  /** Nothing more was available: not requested again before. */
  dryUntil = 0
  lastUsedAt: number
  renewal: Promise<void> | null = null
  /** Number of renewals started. */
  renewals = 0
  /** Total cost of the waiting requests, and of the most expensive one. */
  wanted = 0
  wantedMost = 0

  constructor(accountId: string, now: number) {
    this.accountId = accountId
    this.lastUsedAt = now
  }

  /** The account's credits as far as this process knows: others may have spent since. */
  get known(): number {
    return Math.max(0, this.balance - this.unsettled)
  }

  /** Spent but not in the books: what the service loses if this process dies now. */
  get unsettled(): number {
    return this.spent + this.settling
  }

  get idle(): boolean {
    return this.reserved === 0 && this.renewal === null && this.wanted === 0
  }

  get empty(): boolean {
    return this.remaining === 0 && this.unsettled === 0 && this.givingBack === 0
  }

  /** Everything left is returned with the next settlement. */
  releaseRemaining(): void {
    this.givingBack += this.remaining
    this.remaining = 0
  }
}
