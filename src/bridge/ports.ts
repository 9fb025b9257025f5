// What the bridge needs from outside: a provider that moves money between chains, and a memory of whose session is whose.
import type { Clock } from '#lib/clock'
import type { Marks, NewBridgeSession } from '#storage/postgres/bridge/store'
import type { Deposit } from '#venues/venue'

/** What a caller wants to send, and where it is to arrive. Chains are CAIP-2. */
export interface Transfer {
  from: { chain: string; token: string; address: string }
  /** Of what is sent, in whole tokens: a decimal string. */
  amount: string
  to: { deposit: Deposit; address: string }
}

/** How its caller paid: with a transaction it sent, or by the signature the session asked for. */
export type Payment = { transactionHash: string } | { signature: string }

/** What the provider said, as it said it. */
export interface Told<Value> {
  value: Value
  /** The JSON text of it. */
  json: Buffer
}

/** What a session was when it was made; only the provider that made it can read it. */
export type Agreed = Marks

/** A session that was made here. */
export interface Made {
  sessionId: string
  agreed: Agreed
}

/** Whose question it is, so that those of different accounts take turns; and who gave up waiting. */
export interface Asker {
  account: string
  signal: AbortSignal
}

/**
 * Throws BRIDGE_UPSTREAM for answers that mean nothing, BRIDGE_PROVIDER_UNAVAILABLE where there is none. Its own words reach nobody: they are
 * neither in a fault nor in the log.
 */
export interface BridgeProvider {
  /** In `meta.provenance.source`. */
  name: string
  /** The ways to pay so that the amount arrives, at least one. Throws BRIDGE_NO_ROUTE, VALIDATION_ERROR. */
  quote(transfer: Transfer, asker: Asker): Promise<Told<readonly { paymentCurrency: string }[]>>
  /**
   * The amount is sent, and what is left of it arrives. Asked once: a session nobody heard of is paid by nobody, and ends. A session that is not
   * the one asked for is BRIDGE_UPSTREAM. Throws BRIDGE_NO_ROUTE, VALIDATION_ERROR.
   */
  open(transfer: Transfer, asker: Asker): Promise<Told<{ sessionId: string }> & { agreed: Agreed }>
  /** Null: the provider does not know it. One that has changed since it was made is BRIDGE_UPSTREAM. */
  find(session: Made, asker: Asker): Promise<Told<{ sessionId: string }> | null>
  /**
   * Throws BRIDGE_TRANSACTION_NOT_FOUND once the provider has looked for a while, BRIDGE_SESSION_NOT_FOUND, VALIDATION_ERROR for a signature that
   * the session did not ask for.
   */
  pay(session: Made, payment: Payment, asker: Asker): Promise<Told<unknown>>
}

export interface BridgeStore {
  /** False: it is another's already, or was another session. */
  insert(session: NewBridgeSession): Promise<boolean>
  /** Null: it is not this account's. */
  agreedOf(accountId: string, provider: string, sessionId: string): Promise<Agreed | null>
}

export interface BridgeDeps {
  provider: BridgeProvider
  store: BridgeStore
  /** Of the venues that are served, by slug: what their manifests say. */
  deposits: ReadonlyMap<string, Deposit>
  clock: Clock
}

export interface BridgeRouteDeps {
  bridge: BridgeDeps
}
