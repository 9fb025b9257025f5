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
  /** In the books when they were last looked at. */
  balance = 0
  /** What was left right after the last lease: below half of it means renew. */
  size = 0
  /** Of it, held by no one then. */
  available = 0
  /** Its plan, and the month, were looked at. On the monotonic clock, as all times here. */
  checkedAt = Number.NEGATIVE_INFINITY
  /** The month it was looked at for. */
  checkedMonth = ''
  /** What the next lease aims at. */
  target = leaseMin
  leasedAt = Number.NEGATIVE_INFINITY
  /** Not limited, as far as known until then. */
  unlimitedUntil = 0
  /** There was no more to give: not asked again before. */
  dryUntil = 0
  lastUsedAt: number
  renewal: Promise<void> | null = null
  /** How many renewals began. */
  renewals = 0
  /** What waiting requests cost together, and the dearest of them. */
  wanted = 0
  wantedMost = 0

  constructor(accountId: string, now: number) {
    this.accountId = accountId
    this.lastUsedAt = now
  }

  /** What the account has, as far as this process knows: others may have spent since. */
  get known(): number {
    return Math.max(0, this.balance - this.unsettled)
  }

  /** Answered for and not in the books: what is lost to the service when this process dies now. */
  get unsettled(): number {
    return this.spent + this.settling
  }

  get idle(): boolean {
    return this.reserved === 0 && this.renewal === null && this.wanted === 0
  }

  get empty(): boolean {
    return this.remaining === 0 && this.unsettled === 0 && this.givingBack === 0
  }

  /** Everything left goes back with the next settlement. */
  letGo(): void {
    this.givingBack += this.remaining
    this.remaining = 0
  }
}
