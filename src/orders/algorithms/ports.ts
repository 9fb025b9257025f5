// External dependencies of execution algorithms: storage, the executions that slices are, live books, and a seal.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { ArtifactCipher } from '#orders/conditional/artifactEncryption'
import type { Caller } from '#orders/conditional/ports'
import type { ExecutionStatus, JsonObject, TimeInForce } from '#schemas/executions'
import type { AlgorithmStore } from '#storage/postgres/algorithms/store'
import type { OrderTerms } from '#venues/lane'

export type { Caller }

/** What a lane can do for an algorithm of this account. */
export interface LaneTraits {
  /** Its submits take no field: slices are sent without a signature. */
  needsNoSignature: boolean
  cancels: boolean
  takesAtOnce: boolean
  /** Resting orders of the account are in the venue's books. */
  showsOwnOrders: boolean
}

export interface SignedOrder {
  terms: OrderTerms
  timeInForce: TimeInForce | null
  /** Epoch ms; null: it does not expire. */
  goodUntilMs: number | null
}

/** The venue's build body without price and size, and these as decimal strings. */
export interface SliceBuild {
  build: JsonObject
  price: string
  size: string
}

/** Executions as algorithms use them. All but `lane` throw the refusals of the operation. */
export interface AlgorithmOrders {
  /** Throws VENUE_NOT_SUPPORTED. */
  lane(accountId: string, venue: string): LaneTraits
  /** Throws VALIDATION_ERROR if the venue's cancel does not take it. */
  checkCancelBody(accountId: string, venue: string, body: JsonObject): void
  /** Builds without storing. */
  preview(caller: Caller, venue: string, slice: SliceBuild): Promise<OrderTerms>
  /** The same execution for the same key. */
  build(caller: Caller, venue: string, key: string, slice: SliceBuild): Promise<{ id: string; terms: OrderTerms }>
  /** The execution that was built under the key; null: none. */
  findBuilt(accountId: string, key: string): Promise<string | null>
  /** An unsent order with the body of its submit, checked as its submit will be. */
  examine(caller: Caller, venue: string, executionId: string, signed: JsonObject): Promise<SignedOrder>
  /** One attempt per key. */
  submit(caller: Caller, request: SubmitRequest): Promise<ExecutionStatus>
  /** The same cancel for the same key. */
  cancel(caller: Caller, request: SubmitRequest): Promise<string>
  /** `sent`: it left after all. `held`: another request may be about to submit it. */
  discard(caller: Caller, venue: string, executionId: string): Promise<'discarded' | 'sent' | 'held'>
  /** Of its stored fills; null: not known. */
  averagePrice(accountId: string, executionId: string): Promise<string | null>
}

export interface SubmitRequest {
  venue: string
  executionId: string
  key: string
  body: JsonObject
}

/** Levels in any order. */
export interface AlgorithmBook {
  bids: readonly AlgorithmBookLevel[]
  asks: readonly AlgorithmBookLevel[]
}

/** Probability dollars, and contracts or shares. */
export interface AlgorithmBookLevel {
  price: number
  size: number
}

/** `none`: the outcome has no book of its own. `silent`: it is not proven to be current. */
export interface AlgorithmBooks {
  read(instrument: { venue: string; marketId: string; outcomeId: string }): Promise<AlgorithmBook | 'none' | 'silent'>
}

export interface AlgorithmDeps {
  store: AlgorithmStore
  orders: AlgorithmOrders
  books: AlgorithmBooks
  /** Null: no signed slices are kept here. */
  seal: ArtifactCipher | null
  clock: Clock
  newId(): string
  log: Log
}

export interface AlgorithmRouteDeps {
  algorithms: AlgorithmDeps & {
    /** Volume-weighted price of the recorded trades in that time, decimal string; null: not known. Times in epoch ms. */
    readVwap(
      instrument: { venue: string; marketId: string; outcomeId: string },
      range: { startMs: number; endMs: number },
    ): Promise<string | null>
  }
}
