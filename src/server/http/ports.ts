// External dependencies of the HTTP layer. main.ts connects them to the real verifier, plans, limiter and credits.
import type { Clock } from '#core/clock'
import type { Durations } from '#core/durationHistogram'
import type { Log } from '#core/log'
import type { KeyVerifier } from '#platform/auth/principal'
import type { CreditsPort } from '#platform/credits/port'
import type { Geofence } from '#platform/geofence/geofence'
import type { Plans } from '#platform/plans/plans'
import type { RateLimiter } from '#platform/rateLimit/limiter'
import type { FeatureFlags } from './featureFlags.ts'

export interface HttpDeps {
  verifier: KeyVerifier
  plans: Plans
  rateLimiter: RateLimiter
  /** Absent: nothing is metered and no credit header is sent. */
  credits?: CreditsPort
  /** Absent: the caller's country is unknown, and none is blocked. */
  geofence?: Geofence | undefined
  families: FeatureFlags
  /** Lab venues stand in for the real ones. */
  lab?: boolean
  /** Duration of each answer, by operation and status. */
  answers?: Pick<Durations, 'observe'> | undefined
  log: Log
  clock: Clock
  /** Unique per request; see requestId.ts. */
  newRequestId?: () => string
}
