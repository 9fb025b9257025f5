// What every function of a lane receives: its clients, the operator's addresses and settings, and the catalog.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { HttpClient, HttpSender } from '#net/http'
import type { Event, Market, Outcome } from '#schemas/market'

/** Passed to every lane function. `urls` are the operator's; a caller's credentials come with the call that needs them, as `Secret`. */
export interface LaneContext {
  /** For reads: retries, waits, throws NETWORK_ERROR. Never for anything that places, modifies or cancels an order. */
  http: HttpClient
  /** For requests that must be sent once: exact bytes, one attempt, and what is known of its outcome. */
  sender: HttpSender
  clock: Clock
  log: Log
  urls: Readonly<Record<string, string>>
  /** The operator's values for the lane's `settings`, by name, in the declared shapes. */
  settings: Readonly<Record<string, string>>
  signal: AbortSignal
  catalog: LaneCatalog
  /** Of a paper account: nothing may be requested, and what a build must know comes from the catalog. Absent: a live one. */
  paper?: { accountId: string }
  /** Queues CPU-heavy work, limited in total and per account. Throws RATE_LIMITED when too much is queued already. */
  heavy<T>(work: () => T | Promise<T>): Promise<T>
  /** Cryptographically strong; tests supply their own. */
  randomBytes(length: number): Uint8Array
  randomUuid(): string
}

/** The catalog as a lane uses it. Throws OUTCOME_NOT_FOUND, MARKET_NOT_FOUND, CATALOG_UNAVAILABLE, or VALIDATION_ERROR when ambiguous. */
export interface LaneCatalog {
  /** By outcome id (`asset`); `marketId` disambiguates an id that names outcomes of several markets. */
  outcome(outcomeId: string, marketId?: string): Promise<ResolvedOutcome>
  /** By market and side: `outcome` + `outcomeSide` of a build body. */
  side(marketId: string, side: 'YES' | 'NO'): Promise<ResolvedOutcome>
  /** The market as its venue shows it now, which the catalog may not have yet; null: the venue shows none. Throws NETWORK_ERROR. */
  current?(marketId: string): Promise<Market | null>
  /** With its markets; null: unknown. Absent where events cannot be read. */
  event?(eventId: string): Promise<Event | null>
}

export interface ResolvedOutcome {
  market: Market
  outcome: Outcome
  /** Position in the market: YES is the first outcome of a binary market. */
  side: 'YES' | 'NO'
}
