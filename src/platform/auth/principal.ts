// Who is asking. Verified once per request or socket from the key's SHA-256; the key itself is never kept.

export type Scope = 'read' | 'trade'
export type PlanName = 'free' | 'builder' | 'pro' | 'enterprise'

export interface Principal {
  accountId: string
  keyId: string
  plan: PlanName
  scopes: readonly Scope[]
}

/** `inconclusive`: the store could not be asked; callers change nothing on sockets and answer 503 PLATFORM_UNAVAILABLE on requests. */
export type Verification =
  | { kind: 'valid'; principal: Principal }
  | { kind: 'invalid' }
  | { kind: 'inconclusive'; cause: unknown }

export interface KeyVerifier {
  /** Answers from memory when it may (revocation shows within `cacheMs`), else asks the store. */
  verify(apiKey: string): Verification | Promise<Verification>
}

/** The same question about a key verified before, without the key itself: sockets ask it every minute. */
export interface KeyRechecker {
  recheck(principal: Principal): Verification | Promise<Verification>
}
