// Metering as the pipeline sees it: reserved before the work, kept or refunded after it.
import type { Principal } from '../auth/principal.ts'

export interface CreditsPort {
  /**
   * Reserves credits; synchronously while the lease lasts. Rejects or throws INSUFFICIENT_CREDITS, or PLATFORM_UNAVAILABLE when the lease is dry
   * and the store is unavailable.
   */
  reserve(principal: Principal, credits: number, operationId: string): Reservation | Promise<Reservation>
  /** The account's credits as far as this process knows; null when unlimited or unknown. */
  balanceOf(principal: Principal): number | null
}

/** Ends once, by whichever comes first; the other then has no effect. */
export interface Reservation {
  /** The answer is what was requested. */
  keep(): void
  /** It was refused, or failed, or is a replay. */
  release(): void
}
