// Metering as the pipeline sees it: set aside before the work, kept or given back after it.
import type { Principal } from '../auth/principal.ts'

export interface CreditsPort {
  /**
   * Sets credits aside; at once while the lease lasts. Rejects or throws INSUFFICIENT_CREDITS, or PLATFORM_UNAVAILABLE when the lease is dry and
   * the store cannot be asked.
   */
  reserve(principal: Principal, credits: number, operationId: string): Reservation | Promise<Reservation>
  /** What the account has as far as this process knows; null when it is not limited or not known. */
  balanceOf(principal: Principal): number | null
}

/** Ends once, by whichever comes first; the other does nothing then. */
export interface Reservation {
  /** The answer is what was asked for. */
  keep(): void
  /** It was refused, or failed, or was given before. */
  release(): void
}
