// External dependencies of the bridge: a provider that moves money between chains, and a record of which session belongs
// to whom.
import type { Clock } from '#core/clock'
import type { Marks, NewBridgeSession } from '#storage/postgres/bridge/store'
import type { Deposit } from '#venues/venue'

/** What a caller wants to send, and where it should arrive. Chains are CAIP-2. */
export interface Transfer {
  from: { chain: string; token: string; address: string }
  /** Amount sent, in whole tokens: a decimal string. */
  amount: string
  to: { deposit: Deposit; address: string }
}

/** How the caller paid: by a transaction it sent, or by the signature that the session requires. */
export type Payment = { transactionHash: string } | { signature: string }

/** The provider's answer, verbatim. */
export interface ProviderResponse<Value> {
  value: Value
  /** Its JSON text. */
  json: Buffer
}

/** The fingerprint of a session at its creation; only the provider that created it can read it. */
export type SessionFingerprint = Marks

/** A session that was created here. */
export interface Made {
  sessionId: string
  agreed: SessionFingerprint
}

/** The caller, for per-account queueing; and the signal of its disconnect. */
export interface Caller {
  account: string
  signal: AbortSignal
}

/**
 * Throws BRIDGE_UPSTREAM for meaningless answers, BRIDGE_PROVIDER_UNAVAILABLE when there is none. The provider's own text is never exposed,
 * neither in a fault nor in the log.
 */
export interface BridgeProvider {
  /** In `meta.provenance.source`. */
  name: string
  /** The payment options that make the amount arrive, at least one. Throws BRIDGE_NO_ROUTE, VALIDATION_ERROR. */
  quote(transfer: Transfer, caller: Caller): Promise<ProviderResponse<readonly { paymentCurrency: string }[]>>
  /**
   * The amount is sent, and the remainder after fees arrives. Requested once: a session whose answer was lost is never paid, and expires. A
   * session other than the requested one is BRIDGE_UPSTREAM. Throws BRIDGE_NO_ROUTE, VALIDATION_ERROR.
   */
  open(
    transfer: Transfer,
    caller: Caller,
  ): Promise<ProviderResponse<{ sessionId: string }> & { agreed: SessionFingerprint }>
  /** Null: the provider does not know it. One that has changed since its creation is BRIDGE_UPSTREAM. */
  find(session: Made, caller: Caller): Promise<ProviderResponse<{ sessionId: string }> | null>
  /**
   * Throws BRIDGE_TRANSACTION_NOT_FOUND after the provider has looked for a while, BRIDGE_SESSION_NOT_FOUND, VALIDATION_ERROR for a signature
   * that the session did not ask for.
   */
  pay(session: Made, payment: Payment, caller: Caller): Promise<ProviderResponse<unknown>>
}

export interface BridgeStore {
  /** False: the id already belongs to another account or session. */
  insert(session: NewBridgeSession): Promise<boolean>
  /** Null: it is not this account's. */
  agreedOf(accountId: string, provider: string, sessionId: string): Promise<SessionFingerprint | null>
}

export interface BridgeDeps {
  provider: BridgeProvider
  store: BridgeStore
  /** Of the served venues, by slug, from their manifests. */
  deposits: ReadonlyMap<string, Deposit>
  clock: Clock
}

export interface BridgeRouteDeps {
  bridge: BridgeDeps
}
