// Credits set aside for one request, until its answer is known.
import type { AccountCredits } from './account.ts'
import type { Reservation } from './port.ts'

/** What a reservation ends in. */
export interface Ends {
  keep(request: MeteredRequest): void
  release(request: MeteredRequest): void
}

export class MeteredRequest implements Reservation {
  readonly accountId: string
  readonly keyId: string
  readonly operationId: string
  readonly credits: number
  /** When it was asked: its day counts. */
  readonly at: number
  /** Whose lease it came from; null where nothing is limited. */
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
