// What the HTTP layer needs from the platform. main.ts joins these to the real verifier, plans, limiter and credits.
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { KeyVerifier, PlanName, Principal } from '#platform/auth/principal'
import type { PlanFeature } from './defineRoute.ts'
import type { FamilyFlags } from './families.ts'

export interface RateDecision {
  allowed: boolean
  /** Requests per window. */
  limit: number
  /** Left in the window, never below 0. */
  remaining: number
  /** Until the window is new, milliseconds. */
  resetMs: number
}

export interface RateLimiterPort {
  /** Takes one request from the key's window. Synchronous where it keeps its counts in memory. */
  take(principal: Principal): RateDecision | Promise<RateDecision>
}

export interface CreditsPort {
  /** Debits, or throws Fault INSUFFICIENT_CREDITS. */
  charge(principal: Principal, credits: number, operationId: string): Charge | Promise<Charge>
}
export interface Charge {
  charged: number
  balance: number
}

export interface HttpDeps {
  verifier: KeyVerifier
  plans: { includes(plan: PlanName, feature: PlanFeature): boolean }
  rateLimiter: RateLimiterPort
  /** Absent: nothing is metered and no credit header is sent. */
  credits?: CreditsPort
  families: FamilyFlags
  log: Log
  clock: Clock
  /** Unique per request; random by default. */
  newRequestId?: () => string
}
