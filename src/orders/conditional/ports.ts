// External dependencies of conditional orders: storage, the executions behind them, the books they wait for, and a seal.
import type { Clock } from '#core/clock'
import type { JsonObject } from '#schemas/executions'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { ArtifactCipher } from './artifactEncryption.ts'

/** The authenticated caller. */
export interface Caller {
  accountId: string
  keyId: string
  /** The caller's country as reported by trusted proxies; null when not reported. */
  country: string | null
  isBlocked: boolean
  signal: AbortSignal
}

/** An order that can be armed. */
export interface ArmRequest {
  executionId: string
  venue: string
  marketId: string
  outcomeId: string
  side: 'buy' | 'sell'
  /** Epoch ms: end of validity, by the artifact itself or by a venue rule; null when it does not expire. */
  goodUntilMs: number | null
}

export interface ArmableOrders {
  /**
   * Throws EXECUTION_NOT_FOUND, EXECUTION_TERMINAL, CONDITIONAL_ATTEMPT_CONFLICT, VALIDATION_ERROR and whatever would refuse its submit
   * now. `signed`: in hosted mode, the body of its submit, checked as submit checks it. Throws HOSTED_FIRE_NOT_ELIGIBLE.
   */
  examine(caller: Caller, executionId: string, signed: JsonObject | null): Promise<ArmRequest>
}

/** `none`: the market has no book of its own here. `silent`: it has one, but nothing proves it now. */
export type BookAvailability = 'live' | 'silent' | 'none'

export interface ConditionalDeps {
  store: ConditionalStore
  orders: ArmableOrders
  books: { availability(venue: string, marketId: string, outcomeId: string): Promise<BookAvailability> }
  /** Null: nothing is fired from here. */
  seal: ArtifactCipher | null
  clock: Clock
  newId(): string
}

export interface ConditionalRouteDeps {
  conditional: ConditionalDeps
}
