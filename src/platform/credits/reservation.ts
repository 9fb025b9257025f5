// Credits reserved for one request until its answer is known.
import type { AccountCredits } from './account.ts'
import type { Reservation } from './port.ts'

/** The sink of a finished reservation. */
export interface Ends {
  keep(request: MeteredRequest): void
  release(request: MeteredRequest): void
}

export class MeteredRequest implements Reservation {
  readonly accountId: string
  readonly keyId: string
  readonly operationId: string
  readonly credits: number
  /** The time of the request: its day counts. */
  readonly at: number
  /** The account whose lease it came from; null when unlimited. */
  account: AccountCredits | null = null
  /** Of the lease. */
  generation = 0
  private readonly ends: Ends
  private open = true

  constructor(ends: Ends, accountId: string, keyId: string, operationId: string, credits: number, at: number) {
    this.ends = ends
    this.accountId = accountId
    this.keyId = keyId
    this.operationId = operationId
    this.credits = credits
    this.at = at
  }

  keep(): void {
    if (!this.open) return
    this.open = false
    this.ends.keep(this)
  }

  release(): void {
    if (!this.open) return
    this.open = false
    this.ends.release(this)
  }
}
