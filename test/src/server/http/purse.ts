// Credits in memory that record how each reservation ends.
import { Fault } from '#core/fault'
import type { Principal } from '#platform/auth/principal'
import type { CreditsPort, Reservation } from '#platform/credits/port'

export class MemoryCredits implements CreditsPort {
  balance: number
  readonly kept: [keyId: string, credits: number, operationId: string][] = []
  readonly released: typeof this.kept = []
  /** Makes the next reservation asynchronous. */
  slow = false

  constructor(balance: number) {
    this.balance = balance
  }

  /** Reserved, and neither kept nor released. */
  open = 0

  reserve({ keyId }: Principal, credits: number, operationId: string): Reservation | Promise<Reservation> {
    if (this.balance - this.open < credits) throw new Fault('INSUFFICIENT_CREDITS', 'no credits left')
    this.open += credits
    let ended = false
    const end = (list: typeof this.kept): void => {
      if (ended) throw new Error('a reservation ends once')
      ended = true
      this.open -= credits
      list.push([keyId, credits, operationId])
    }
    const reservation: Reservation = {
      keep: () => {
        end(this.kept)
        this.balance -= credits
      },
      release: () => end(this.released),
    }
    return this.slow ? Promise.resolve(reservation) : reservation
  }

  balanceOf(): number {
    return this.balance
  }
}
