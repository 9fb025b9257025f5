// External dependencies of executions: storage, the lanes of this deployment, time.

import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { Durations } from '#core/durationHistogram'
import type { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { LapseResult } from '#schemas/cancelAfter'
import type { JsonObject } from '#schemas/executions'
import type { RiskLimitKind } from '#schemas/riskLimits'
import type { GateRefusal } from '#storage/postgres/conditional/blockingConditions'
import type {
  BulkRequest,
  CancelAllRequest,
  CancelScope,
  CancelSelection,
  Unselected,
} from '#storage/postgres/executions/bulkRequests'
import type {
  CancelAfterRow,
  CancelAfterState,
  LapseLease,
  NewCancelAfter,
} from '#storage/postgres/executions/cancelAfter'
import type { Claim, ClaimResult } from '#storage/postgres/executions/claim'
import type { ClaimedKey } from '#storage/postgres/executions/claimKey'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { ExecutionFilter, FillRow, KeyKind, KeyUse, OpenQuery } from '#storage/postgres/executions/findExecutions'
import type { Rivals, RivalsQuery } from '#storage/postgres/executions/findLookalikeOrders'
import type { FamilyMember } from '#storage/postgres/executions/findOrderChain'
import type {
  OrderFill,
  OrderFilter,
  OrderRow,
  OverviewRow,
  UnresolvedFilter,
} from '#storage/postgres/executions/findOrders'
import type { InsertExecutionResult } from '#storage/postgres/executions/groupInsert'
import type { NewExecution } from '#storage/postgres/executions/insertExecutions'
import type { Move } from '#storage/postgres/executions/moveExecution'
import type { Observation } from '#storage/postgres/executions/recordObservation'
import type { NewReplacement, ReplacementRow } from '#storage/postgres/executions/replacements'
import type { NewReservation, ReservationRow } from '#storage/postgres/executions/reservations'
import type { DiscardResult, ReserveResult, ResolveResult } from '#storage/postgres/executions/store'
import type { HaltCommand, HaltRow } from '#storage/postgres/halts/halts'
import type { RiskBreach, RiskCheck } from '#storage/postgres/risk/checkLimits'
import type { RiskLimitRow } from '#storage/postgres/risk/limits'
import type { RiskOrder } from '#storage/postgres/risk/usage'
import type { ExecutionAdapter, LaneContext, ReadingLane } from '#venues/lane'
import type { CredentialBreaker } from './breaker.ts'

export interface ConditionalAdapter extends ConditionalPreview {
  lane: ExecutionAdapter
}

/** A lane that can report the status of an execution. */
export interface ConditionalPreview {
  lane: ReadingLane
  /** A new context per call: its signal ends with the caller, and heavy work is queued per account. */
  context(signal: AbortSignal, accountId: string): LaneContext
}

export interface ExecutionStore {
  find(accountId: string, id: string): Promise<ExecutionRow | null>
  /** An order and its modifications. */
  findFamily(id: string): Promise<FamilyMember[]>
  findRivals(query: RivalsQuery): Promise<Rivals>
  /** The execution to which an order of the venue belongs. */
  findByVenueRef(order: { accountId: string; venue: string; venueRef: string }): Promise<string | null>
  findKeyUse(accountId: string, kind: KeyKind, key: string): Promise<KeyUse | null>
  insert(wanted: NewExecution): Promise<InsertExecutionResult>
  /** An account's mark, derived from its name at a venue: identical in all processes, and never returned to callers. */
  markAccount(name: string): Promise<Buffer>
  /** When a cancellation of this order was acknowledged; null: never. */
  findCanceledAt(id: string): Promise<Date | null>
  /** Binds the key and moves to `submitted` in one transaction. */
  claim(claim: SubmitClaim): Promise<ClaimResult>
  discard(move: Move): Promise<DiscardResult>
  /** Dollars already reserved that a modification of this execution need not reserve again. */
  findTargetReservation(targetId: string): Promise<string>
  /** Moves and, for a submit, records the relay's outcome, in one transaction. */
  move(move: Move, outcome?: ClaimedKey & { outcome: JsonObject }): Promise<ExecutionRow | null>
  /** Binds the key and moves, in one transaction. */
  resolve(claim: Pick<Claim, 'accountId' | 'key' | 'bodySha256' | 'move'>): Promise<ResolveResult>
  /** For an order whose status does not change. */
  recordSighting(sighting: Observation): Promise<void>
  /** For a relay that does not move its execution. */
  recordOutcome(relayed: ClaimedKey & { outcome: object }): Promise<void>
  /** For a relay without a clear answer. `known`: shown to the owner while the execution is `submitted`. Null: it no longer is. */
  recordUnknown(relayed: ClaimedKey & { id: string; known: string }): Promise<ExecutionRow | null>
  list(filter: ExecutionFilter): Promise<ExecutionRow[]>
  listOpen(query: OpenQuery): Promise<ExecutionRow[]>
  listFills(query: { accountId: string; venue: string; after: string | null; limit: number }): Promise<FillRow[]>
  listFillsOf(executionId: string): Promise<FillRow[]>
  listOrders(filter: OrderFilter): Promise<OverviewRow[]>
  /** Executions of unknown outcome. */
  listUnresolved(filter: UnresolvedFilter): Promise<OrderRow[]>
  /** Of an execution with more than `most` fills, the first `most` and one more. */
  listFillsOfOrders(query: { executionIds: readonly string[]; most: number }): Promise<OrderFill[]>
  /** Binds the key to a request for many operations. False: it belongs to another one. */
  bindBulk(request: BulkRequest): Promise<boolean>
  /** The orders that a request cancels, selected once. Null: its key belongs to another one. */
  selectCancelAll(request: CancelAllRequest): Promise<CancelSelection | null>
  /** What is in the scope of such a request and not in its selection. */
  countUnselected(scope: CancelScope, selection: CancelSelection): Promise<Unselected>
  /** The account's dead man's switch; the deadline by the database's clock. One whose deadline has passed lapses anyway. */
  setCancelAfter(wanted: NewCancelAfter): Promise<void>
  endCancelAfter(accountId: string): Promise<void>
  readCancelAfter(accountId: string): Promise<CancelAfterState>
  takeLapsed(options: { limit: number; leaseMs: number }): Promise<CancelAfterRow[]>
  /** False: another process has taken it over. */
  finishLapse(lease: LapseLease, end: { result: LapseResult; at: Date }): Promise<boolean>
  postponeLapse(lease: LapseLease, delayMs: number): Promise<boolean>
  findReplacement(accountId: string, key: string): Promise<ReplacementRow | null>
  /** The replacement of this request, written once; its hash may be another one's. */
  insertReplacement(wanted: NewReplacement): Promise<ReplacementRow>
  /** Why this execution is reserved for its conditional order; null when none lives behind it. */
  findBehind(id: string): Promise<GateRefusal | null>
  /** `tradesAt` as for a claim. */
  reserve(wanted: NewReservation, tradesAt: string | null): Promise<ReserveResult>
  findReservation(accountId: string, id: string): Promise<ReservationRow | null>
  releaseReservation(id: string, at: Date): Promise<boolean>
  /** False: it was already halted. Once this returns, no claim that the halt stops can commit. */
  halt(word: HaltCommand): Promise<boolean>
  /** False: it was not halted. */
  resume(word: HaltCommand): Promise<boolean>
  /** Every halt that stops the account, including the operator's. */
  listHalts(accountId: string): Promise<HaltRow[]>
}

export interface SubmitClaim extends Claim {
  /** The caller was answered that there was no response, and then the claim committed. It is not relayed. */
  late(row: ExecutionRow): void
}

/** An order as its account's risk limits see it. */
export interface RiskSubject extends RiskOrder {
  /** Limit price in probability dollars, decimal string; null: unknown. */
  price: string | null
  /** A modification to no more at no worse a price. */
  onlyReduces: boolean
  /** Of a conditional order: the mid price at its trigger, decimal string; null: unknown. Absent: the live book is read. */
  triggerMid?: string | null | undefined
}

/** What limits of these kinds are compared with, beyond the store. */
export interface RiskInputs {
  /** Of limits. */
  kinds: ReadonlySet<RiskLimitKind>
  /** Mid price of the outcome's live book, decimal string; null: no live book. */
  mid: string | null
  /** By venue, USD lost since 00:00 UTC, below zero for a gain; null: unknown. A venue without positions is missing. */
  dayLoss: ReadonlyMap<string, string | null> | null
  /** By venue, USD that the positions can still lose, without credit for hedges; null: unknown. */
  positionLoss: ReadonlyMap<string, string | null> | null
  /** USD that the positions at all venues can still lose together; null: unknown. */
  worstLoss: string | null
}

/** The risk limits of accounts (src/orders/risk). */
export interface RiskChecks {
  /** For the claim. `inputs` null: not read. */
  checkOf(subject: RiskSubject, inputs: RiskInputs | null): RiskCheck
  /** What these limits need. Throws EXEC_UNAVAILABLE, and RATE_LIMITED when too many portfolios are being read. */
  readInputs(subject: RiskSubject, limits: readonly RiskLimitRow[]): Promise<RiskInputs>
  /** The refusal; if the limit has `onBreach: halt`, the account was halted before. */
  refuse(subject: RiskSubject, breach: RiskBreach): Promise<Fault>
  /** What would refuse its submit now; null: nothing. Writes nothing. */
  preview(subject: RiskSubject): Promise<string | null>
}

export interface ExecutionsDeps {
  breaker: CredentialBreaker
  store: ExecutionStore
  /** Every lane this version knows, armed or not. */
  knownLanes: readonly ExecutionAdapter[]
  /** Armed lanes by venue slug. */
  lanes: ReadonlyMap<string, ConditionalAdapter>
  /** Lanes of paper accounts by venue slug; absent: paper accounts are refused. */
  paperLanes?: ReadonlyMap<string, ConditionalAdapter> | undefined
  /** By slug, venues with read-only lanes: used by refresh only. */
  statusLanes?: ReadonlyMap<string, ConditionalPreview>
  /** Why the others are not armed, shown to callers. */
  unarmed?: ReadonlyMap<string, string>
  cursors: CursorCodec
  /** Absent: no limits are checked, as in tests of other parts. */
  risk?: RiskChecks | undefined
  /** Duration of each relay, by venue and outcome. */
  relays?: Durations | undefined
  clock: Clock
  log: Log
  newId(): string
}

/** The authenticated caller. */
export interface Caller {
  accountId: string
  keyId: string
  /** The caller's country as reported by trusted proxies; null when not reported. */
  country: string | null
  /** The deployment does not serve that country. */
  isBlocked: boolean
  signal: AbortSignal
}

export interface ExecutionsRouteDeps {
  executions: ExecutionsDeps
}
