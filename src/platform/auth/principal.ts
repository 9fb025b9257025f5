// The identity of a caller. Verified once per request or socket from the key's SHA-256; the key itself is never kept.
import { isPaperAccount } from '#schemas/paper'

/** `review`: decides on the matching of markets, for every account. `admin`: changes the risk limits of every account. */
export type Scope = 'read' | 'trade' | 'review' | 'admin'
export type PlanName = 'free' | 'builder' | 'pro' | 'enterprise'

export interface Principal {
  accountId: string
  keyId: string
  plan: PlanName
  scopes: readonly Scope[]
}

/** Its orders are matched here, and no request of it reaches a venue. */
export const isPaper = ({ accountId }: Pick<Principal, 'accountId'>): boolean => isPaperAccount(accountId)

/** `inconclusive`: the store was unavailable; callers change nothing on sockets and answer 503 PLATFORM_UNAVAILABLE on requests. */
export type Verification =
  | { kind: 'valid'; principal: Principal }
  | { kind: 'invalid' }
  | { kind: 'inconclusive'; cause: unknown }

export interface KeyVerifier {
  /** Answers from memory when allowed (revocation shows within `cacheMs`), otherwise asks the store. */
  verify(apiKey: string): Verification | Promise<Verification>
}

/** Re-verifies a previously verified key, without the key itself: sockets do this every minute. */
export interface KeyRechecker {
  recheck(principal: Principal): Verification | Promise<Verification>
}
