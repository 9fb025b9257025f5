// What conditional orders need from outside: storage, the executions they wait behind, the books they wait for, and a seal.
import type { Clock } from '#lib/clock'
import type { JsonObject } from '#schemas/executions'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { ArtifactSeal } from './seal.ts'

/** Who asks. */
export interface Caller {
  accountId: string
  keyId: string
  /** Where trusted proxies say the caller is; null when not reported. */
  country: string | null
  isBlocked: boolean
  signal: AbortSignal
}

/** An order that may wait for a price. */
export interface ArmableOrder {
  executionId: string
  venue: string
  marketId: string
  outcomeId: string
  side: 'buy' | 'sell'
  /** Epoch ms: by the artifact itself, or by a rule of the venue, it is good no longer; null where it does not end by itself. */
  goodUntilMs: number | null
}

export interface ArmableOrders {
  /**
   * Throws EXECUTION_NOT_FOUND, EXECUTION_TERMINAL, CONDITIONAL_ATTEMPT_CONFLICT, VALIDATION_ERROR and whatever refuses its submit now.
   * `signed`: in hosted mode, what its submit will be sent; checked as submit checks it. Throws HOSTED_FIRE_NOT_ELIGIBLE.
   */
  examine(caller: Caller, executionId: string, signed: JsonObject | null): Promise<ArmableOrder>
}

/** `none`: the market has no book of its own here. `silent`: it has one, and nothing proves it now. */
export type BookStanding = 'live' | 'silent' | 'none'

export interface ConditionalDeps {
  store: ConditionalStore
  orders: ArmableOrders
  books: { standing(venue: string, marketId: string, outcomeId: string): Promise<BookStanding> }
  /** Null: nothing is fired from here. */
  seal: ArtifactSeal | null
  clock: Clock
  newId(): string
}

export interface ConditionalRouteDeps {
  conditional: ConditionalDeps
}
