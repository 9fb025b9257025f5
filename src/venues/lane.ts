// The execution half of a venue: a lane. It builds unsigned artifacts, sends what the caller signed, and reads the status back. A
// lane
// knows its venue and nothing else: no database, no accounts, no idempotency. Functions it does not support are absent.
//
//   body ─► gatherFacts ─► build ─► checkBounds ─► (stored by the core) ─► prepare ─► relay ─► read
import type { z } from 'zod'
import type { ErrorCode } from '#schemas/errors'
import type {
  Exchange,
  ExecutionStatus,
  Intent,
  JsonObject,
  PositionIntent,
  SelfTradePrevention,
  TimeInForce,
} from '#schemas/executions'
import type { Market } from '#schemas/market'
import type { ExecutionVenue, QueriedVenue, RefreshedVenue } from '#schemas/venues'
import type { HoldingsReader } from './holdings.ts'
import type { LaneContext } from './laneContext.ts'

export type { LaneCatalog, LaneContext, ResolvedOutcome } from './laneContext.ts'

/** A request is sent, signed, within this time of its claim, or not at all. */
export const relayWithinMs = 45_000

/** An order's terms, venue-neutral: stored with the artifact for bounds, conditional orders and reports. */
export interface OrderTerms {
  marketId: string
  outcomeId: string
  outcomeSide: 'YES' | 'NO'
  isBuy: boolean
  /** Probability dollars and contracts or shares, decimal strings as in the artifact (after the venue's rounding). */
  price: string
  size: string
}

/**
 * The content of an artifact, read from it alone, as shown to a person before signing. Decimal strings. Null: the artifact does not contain
 * it.
 */
export type ArtifactSummary =
  | DescribedOrder
  /** `orderId`: the venue's, or ours when the artifact names that one. */
  | { intent: 'cancel'; orderId: string }
  /** `instrument`: what is redeemed, by its name in the artifact. */
  | { intent: 'redeem'; instrument: string }
  | DescribedPositionCall

export interface DescribedPositionCall {
  intent: PositionIntent
  /** The market, or the event and its outcomes, by the name in the artifact. */
  instrument: string
  /** Sets, or shares of each outcome given. */
  size: string
  /** True: `size` is in base units of a token whose decimals the artifact does not state. */
  inUnits?: true
}

export interface DescribedOrder {
  intent: 'order' | 'modify'
  /** For a modify: the order it modifies. */
  orderId?: string
  /** What is traded, by its name in the artifact. */
  instrument: string
  /** Which of the catalog's ids `instrument` is. Absent when it is neither. */
  instrumentIs?: 'marketId' | 'outcomeId'
  outcomeSide: 'YES' | 'NO' | null
  isBuy: boolean
  /** The venue has one book: buying an outcome at p and selling the other at 1 − p are the same artifact, which can be read as either. */
  mirrored?: true
  /** Limits, in probability dollars and contracts or shares: no worse price and no larger size can result. */
  price: string | null
  size: string | null
  /** True: `size`, `costMax` and `bringsMin` are in base units of a token whose decimals the artifact does not state. */
  inUnits?: true
  /** A symbol, never an address. */
  currency: string | null
  /** Maximum cost, before fees; 0 for a sale whose tokens the venue requires up front. */
  costMax: string | null
  /** For a sale: minimum proceeds once fully filled, before fees. A purchase yields its size. */
  bringsMin: string | null
  /** Fees stated in the artifact itself: a rate that its signer agrees to. */
  fee: JsonObject | null
  timeInForce: TimeInForce | null
  /** Epoch ms; null when it does not expire. */
  expiresAt: number | null
  /** Each of these only when the artifact states it. */
  postOnly?: true
  reduceOnly?: true
  clientOrderId?: string
  selfTradePrevention?: SelfTradePrevention
}

/** As build bodies have them: a price or size is a number where that is the same. */
export type BodyTerms = Partial<Omit<OrderTerms, 'price' | 'size'> & Record<'price' | 'size', number | string>>

export interface Built {
  /** The artifact, stored canonically with its hash. Plain JSON; no credential, no `buildVersion` (the core adds it). */
  unsigned: JsonObject
  /** Null for intents other than orders. */
  terms: OrderTerms | null
  /**
   * Decimal string of the maximum USD cost of the order, before fees; null when the venue's unit has no known dollar value.
   */
  notionalUsd: string | null
  /** Null without a verified model. */
  feeEstimate: JsonObject | null
  /** Symbol of the token that the order is paid in, where the artifact does not contain one. */
  currency?: string
  /** Facts that `checkBounds` needs again at submit: tick, exchange address, maximum amounts … */
  bounds: JsonObject
  /**
   * The id under which the venue will know this order if it accepts it: a client order id, or an order hash derived from the artifact. Lets
   * refresh find an order whose acceptance was never received.
   */
  clientRef: string | null
  warnings: string[]
  collateral?: JsonObject
  /** Controlling wallet, if the lane needs one. */
  owner: string | null
  /** Of a split, a merge and a conversion: what the artifact's call exchanges. */
  exchange?: Exchange
  /** Legacy echo of opinion and predictfun. */
  buildResult?: JsonObject
}

/** An execution as its lane sees it. */
export interface LaneExecution {
  executionId: string
  intent: Intent
  status: ExecutionStatus
  unsigned: JsonObject
  submittedArtifact: JsonObject | null
  bounds: JsonObject
  terms: OrderTerms | null
  owner: string | null
  venueRef: string | null
  clientRef: string | null
  createdAt: number
  /**
   * When the current status was reached, epoch ms. For an in-flight execution never before it was sent, however long ago it was
   * built.
   */
  statusSince: number
  /**
   * Time of the first refresh in which the venue did not show the order, epoch ms; null when the last refresh showed it, and before the
   * first.
   */
  missingSince: number | null
  /**
   * The largest filled size the venue has reported, decimal string of contracts or shares; null when never reported.
   */
  matchedSize: string | null
  /** For cancel and modify: what they act on. */
  target: LaneExecution | null
}

/** The order whose fill is read, as stored. */
export type FilledOrder = Pick<
  LaneExecution,
  'intent' | 'unsigned' | 'submittedArtifact' | 'bounds' | 'terms' | 'owner'
>

/** One stored fill in venue-neutral terms. Decimal strings. */
export interface NormalizedFill {
  /** Contracts or shares, above zero. */
  size: string
  /** Paid (buy) or received (sell) for them before fees, in the payment currency; null: not reported. */
  cash: string | null
  /** Above zero: paid, below: a rebate. Null: not reported. */
  fee: string | null
  /** What the fee is taken in. */
  feeIn: 'cash' | 'outcome'
  /** The row reports the order's total so far: it replaces earlier rows of the same order. */
  cumulative?: true
}

/**
 * What is about to be sent. `submittedArtifact` is stored: the signed artifact, or the unauthenticated one; never a
 * credential.
 */
export interface Prepared {
  submittedArtifact: JsonObject
  /** Known before sending when it derives from the artifact (an order hash): stored with `submitted`. */
  venueRef: string | null
}

type ReportedValue = string | number | null | undefined

/**
 * What an answer says about its order, each value paired with ours. Missing values contradict nothing, and neither do those unknown to us.
 * Numbers are compared as numbers, words case-insensitively. src/venues/shared/exec/checkOrderId.ts decides.
 */
export type OrderComparison = Readonly<Record<string, readonly [told: ReportedValue, ours: ReportedValue]>>

/**
 * Only positive evidence is a rejection; a missing answer is not. `refused`: the venue rejected the credentials before it looked at the
 * order (nothing can have been placed, the execution may be submitted again under a new key).
 */
export type RelayOutcome =
  | {
      kind: 'accepted'
      venueRef: string | null
      status: 'acked' | 'filled' | 'canceled'
      fills: VenueFill[]
      /** The filled size the answer reports, decimal string above zero; treated like a refresh's. */
      matchedSize?: string
      /** In addition to `venueRef`, which is compared with that of `Prepared` when both are known. */
      about?: OrderComparison
    }
  | { kind: 'rejected'; reason: string; about?: OrderComparison }
  /** `code`: a refusal with its own code in the specification; otherwise it is VENUE_CREDENTIAL_REJECTED. */
  | {
      kind: 'refused'
      reason: string
      /** We rejected the credentials ourselves: the venue was not contacted. */
      local?: true
      /** NETWORK_ERROR: nothing was sent, or the venue takes no requests now; the reason is our own wording. */
      code?:
        | 'GEMINI_TIME_NONCE_REQUIRED'
        | 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED'
        | 'NETWORK_ERROR'
        // Of the paper exchange.
        | Extract<ErrorCode, `PAPER_${string}`>
    }
  | {
      kind: 'unknown'
      cause: unknown
      /** Our own wording of why it is unknown, shown to the owner as it is. */
      reason?: string
      /** The status of the answer. Absent: there was none. */
      httpStatus?: number
      /** The text of the answer, verbatim; the core sanitizes it and shows it to the owner. */
      text?: string
    }

export interface VenueFill {
  /** The venue's own id of the fill, unique within the execution: prevents appending it twice. */
  key: string
  /** Venue-shaped. */
  fill: JsonObject
  /** Epoch ms. */
  filledAt: number
}

/**
 * The result of a refresh. `status` null: the answer proves nothing, the stored status stays. Only the venue's statement or a venue rule
 * ends an order; absence in a single read does not.
 */
export interface Observation {
  status: ExecutionStatus | null
  /** True: the status follows from absence and time. It ends in-flight executions, and corrects nothing. */
  inferred?: boolean
  /**
   * Of a cancel: the order it cancels. False: this very order was looked up and the venue does not show it. Absent: the read says
   * neither.
   */
  shown?: boolean
  /** False: the venue shows that the order no longer rests, and not how it ended. */
  rests?: false
  /** The filled size according to the venue, decimal string; kept, and passed to the next read as `matchedSize`. */
  matchedSize?: string
  venueRef: string | null
  /** All fills the venue reports for this order; known ones are skipped by key. */
  fills: VenueFill[]
  /**
   * The venue shows that what was sent has not been done: no such order, an order not cancelled, not modified. Absent: the read does not say.
   */
  undone?: boolean
  /** Something at the venue may be this order, without proof: a resting order, or a trade. */
  mayBe?: 'order' | 'trade'
  /** Reverted fills, by the key they may have been reported under before. */
  withdrawn?: VenueFill[]
  /**
   * In addition to `venueRef`, which is compared with the stored one: a lane finds only the requested order.
   */
  about?: OrderComparison
  /** Returned once with the answer, credentials removed; not stored. */
  observation?: JsonObject
  /** The venue's reason, verbatim, when status is failed; the core sanitizes it. */
  reason?: string
}

/**
 * The account whose view a read has. `anybody`: every account is shown the same. `owner`: the execution's owner; the venue refuses others'.
 * Otherwise a function returning the (non-secret) name of the account that owns the credentials: submit's body has the same members. Null:
 * they do not identify it.
 */
export type ReadVisibility<Read> = 'anybody' | 'owner' | ((credentials: Read) => string | null)

/** Context for finding an order by likeness. */
export interface Search {
  /** Epoch ms. */
  sentAt: number
  /** Of the candidate orders: those that belong to other executions of the same account. */
  claimed: ReadonlySet<string>
  /** Executions, including this one, with the identical artifact, sent within `apartMs` of each other, whose orders are unknown. */
  alike: number
}

/** Time until which a copy of the request may still be accepted, by a rule of the venue. */
export interface AcceptanceDeadline {
  /** Epoch ms. */
  untilMs: number
  /** The rule, shown as the reason for a failed order. */
  rule: string
}

/** Operator-supplied data about a venue that is not public: `CROSSBOOK_<VENUE>_<NAME>`, rejected at start if malformed. */
export interface LaneSetting {
  shape: z.ZodType<unknown, string>
  /** What it is, shown as the reason for an unarmed lane: "the chain of its exchange". */
  is?: string
  /** Without it the lane is not armed. */
  needed?: true
  /** Its value for the artifacts of paper accounts, which are never sent, where the operator gives none. */
  onPaper?: string
}

/** The form of an order id of the venue. `number`: decimal, without a leading zero. `hash`: 32 bytes as 0x and hex. */
export type PaperOrderId = 'uuid' | 'number' | 'hash'

/** What a lane's build body takes. */
export interface OrderOptions {
  /** The first is the default. */
  timeInForce?: readonly TimeInForce[]
  /** An expiry makes the order good-til-date. */
  expiresAt?: true
  /** `type: 'market'`: fills at `worstPrice` or better, and never rests. */
  market?: true
  postOnly?: true
  reduceOnly?: true
  /** The form of a client order id, in words. */
  clientOrderId?: string
  selfTradePrevention?: readonly SelfTradePrevention[]
}

/** Submit and refresh of an artifact that is sent to the chain, where those of orders are not. */
export interface SentToChain {
  submit: NonNullable<ExecutionAdapter['submit']>
  refresh: NonNullable<ExecutionAdapter['refresh']>
}

/** A build that calls the contracts which hold a venue's shares. */
export interface PositionVerb {
  /** Strict, like that of an order. */
  body: z.ZodType
  /** `body`: what its schema parsed. Throws VALIDATION_ERROR. */
  build(context: LaneContext, body: unknown): Promise<Built>
  sent?: SentToChain
}

/** The venue's own dead man's switch, to be signed and sent by the account itself. */
export interface ScheduledCancel {
  /** Typed data to be signed, and what it is about. */
  unsigned: JsonObject
  /** The request that takes the signature. `signatureAt`: the member of `body` that it becomes. */
  request: { method: 'POST'; url: string; body: JsonObject; signatureAt: string }
}

export interface LaneSpec<Body, Facts, Send, Read, CancelBody, ModifyBody, RedeemBody> {
  slug: ExecutionVenue
  /** Version of the artifacts' shape; incremented when a stored one can no longer be sent. */
  buildVersion: number
  /** Default base URLs, each overridden by CROSSBOOK_<VENUE>_<NAME>_URL. Shared names match the data half's. */
  urls: Readonly<Record<string, string>>
  settings?: Readonly<Record<string, LaneSetting>>
  /**
   * Read at the operator's nodes, `urls.RPC` (CROSSBOOK_<VENUE>_RPC_URL, a comma-separated list). `needed`: without one the lane is not
   * armed.
   */
  chain?: { id: number; needed?: true }
  /** Armed only if CROSSBOOK_<VENUE>_LANE says so. */
  defaultOff?: true
  /**
   * When the operator arms only this part (CROSSBOOK_<VENUE>_LANE=settlement): resolved positions are redeemed, and no order is taken.
   */
  settlementOnly?: true
  /** Why it only builds; shown when another operation is missing. */
  buildsOnly?: string
  ownerRequired: boolean
  /** Of its paper orders; `uuid` if absent. */
  paperOrderId?: PaperOrderId
  /** What a build body may select in addition to price and size. Absent: nothing. */
  orderOptions?: OrderOptions
  /** ISO 3166-1 alpha-2 countries the venue does not serve; checked at build and submit: VENUE_REGION_BLOCKED. */
  blockedCountries: readonly string[]
  /** Shapes of `unsigned` by intent: the schemas for reading stored ones back. */
  artifacts: { readonly order: z.ZodType } & { readonly [Other in Exclude<Intent, 'order'>]?: z.ZodType }
  order: {
    /** Strict: unknown keys and anything that looks like a credential are refused. Without `dryRun` and `intent`, which the core reads. */
    body: z.ZodType<Body>
    gatherFacts(context: LaneContext, body: Body): Promise<Facts>
    /** Pure except for entropy and clock in `context`. Throws VALIDATION_ERROR. */
    build(context: LaneContext, body: Body, facts: Facts): Built
    /** The fields of `body` for these terms; `given`: the others. Absent: `outcome` is the market, the others have their names: see orderFields.ts. */
    fieldsOf?(terms: BodyTerms, given: JsonObject): JsonObject
  }
  /** Pure; at build and again at submit. Throws ARTIFACT_BOUNDS_VIOLATION. */
  checkBounds(unsigned: JsonObject, bounds: JsonObject): void
  /** For every artifact the lane builds. Pure: it uses only the artifact. Throws ARTIFACT_BOUNDS_VIOLATION for an invalid one. */
  describe(unsigned: JsonObject): ArtifactSummary
  cancel?: {
    body: z.ZodType<CancelBody>
    build(context: LaneContext, target: LaneExecution, body: CancelBody): Promise<Built>
  }
  modify?: {
    body: z.ZodType<ModifyBody>
    /** True: the venue replaces the old order by a new one under a new id. Otherwise the order is modified and keeps its id. */
    replaces?: true
    build(context: LaneContext, target: LaneExecution, body: ModifyBody): Promise<Built>
  }
  /** The venue cancels all open orders of the account at `at`, epoch ms; null: no longer. Absent: nothing can be signed for that there. */
  scheduleCancel?(context: LaneContext, at: number | null): ScheduledCancel
  redeem?: {
    body: z.ZodType<RedeemBody>
    build(context: LaneContext, body: RedeemBody): Promise<Built>
    /** How a redemption is submitted and read, where that differs from an order. */
    sent?: SentToChain
    /** Why this lane cannot redeem a market; null: it can. Pure. */
    obstacle?(market: Market): string | null
    /** Of a market whose redemption names the number of shares. Pure. */
    needsAmount?(market: Market): boolean
  }
  /** A full set of a market's outcomes for its price. */
  split?: PositionVerb
  /** The price of a full set for the set. */
  merge?: PositionVerb
  /** NO shares of some outcomes of an event for YES shares of the others, and cash. */
  convert?: PositionVerb
  submit?: {
    /** Signature or transient credentials; secrets parse into `Secret`. */
    body: z.ZodType<Send>
    /** Verifies the signature against the artifact and its owner (INVALID_SIGNATURE). Sends nothing. */
    prepare(context: LaneContext, execution: LaneExecution, send: Send): Promise<Prepared>
    /** One attempt, no retry. Never throws for a failure of the venue or the network: that is an outcome. */
    relay(context: LaneContext, execution: LaneExecution, prepared: Prepared, send: Send): Promise<RelayOutcome>
    /**
     * Absent or null: no venue rule says when a late copy is refused. `signedBy`: upper bound of the signing time of this execution's
     * requests, epoch ms.
     */
    lateBound?(execution: LaneExecution, signedBy: number): AcceptanceDeadline | null
    /** Until when an artifact can be submitted after its build, epoch ms, however late the order itself expires. Absent: at any time. */
    acceptsUntil?(execution: LaneExecution): number
    /**
     * True: `venueRef` of `Prepared` is a hash of the signed bytes, and the venue takes those only once. While their outcome is unknown they may
     * be sent again.
     */
    takesSameBytesOnce?(execution: LaneExecution): boolean
    /** Names of the body's fields, for GET /v1/exec/venues. */
    fields: readonly string[]
  }
  refresh?: {
    body: z.ZodType<Read>
    /** True: an empty body suffices, and the reconciler polls by itself. */
    credentialFree: boolean
    /** Absence proves nothing in the view of an account other than the submitting one. */
    asks: ReadVisibility<Read>
    /**
     * Throws VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. Called only with a venueRef, or with a clientRef after a submit of unknown outcome.
     */
    read(
      context: LaneContext,
      execution: LaneExecution,
      credentials: Read,
      /** For a venue that takes no client order id. */
      search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
      /** Its stored fills. */
      recorded?: () => Promise<readonly JsonObject[]>,
      /** When the venue acknowledged a cancellation of it submitted here, epoch ms; null: never. */
      canceledAt?: () => Promise<number | null>,
    ): Promise<Observation>
    fields: readonly string[]
  }
  /**
   * A stored fill (`VenueFill.fill`), also one of an earlier version, that the venue did not revert. Pure; it never throws. Null: its size is
   * unreadable.
   */
  readFill?(fill: JsonObject, order: FilledOrder): NormalizedFill | null
  /** What an account holds there. Absent: it cannot be read, and `noHoldings` says why. */
  holdings?: HoldingsReader
  noHoldings?: string
}

/** A lane with its body types erased: bodies have passed the lane's own schemas before they come back to it. */
export type ExecutionAdapter = LaneSpec<unknown, unknown, unknown, unknown, unknown, unknown, unknown>

export function defineLane<B, F, S = never, R = never, C = never, M = never, D = never>(
  spec: LaneSpec<B, F, S, R, C, M, D>,
): ExecutionAdapter {
  // The core parses with these very schemas of `spec` before it calls, so the erased value is the typed one.
  return spec as unknown as ExecutionAdapter
}

/** The part of a lane needed to read an execution's status. */
export interface ReadingLane
  extends Pick<ExecutionAdapter, 'submit' | 'modify' | 'redeem' | PositionIntent | 'refresh' | 'buildsOnly'> {
  slug: QueriedVenue
}

/** For a venue at which nothing is built here: stored executions can be read, and nothing else. */
export interface StatusLane extends Pick<ReadingLane, 'refresh'> {
  slug: RefreshedVenue
  urls: Readonly<Record<string, string>>
  holdings?: HoldingsReader
  noHoldings?: string
}

export const defineStatusLane = <R>(
  spec: Omit<StatusLane, 'refresh'> & Pick<LaneSpec<never, never, never, R, never, never, never>, 'refresh'>,
): StatusLane => spec as unknown as StatusLane

/** For a venue that does not document order entry: the caller sends what is built here, and nothing is read back. */
export type BuildLane = ExecutionAdapter & { [Verb in Sent]?: never }
type Sent = 'submit' | 'refresh' | 'cancel' | 'modify'

export const defineBuildLane = <B, F>(
  spec: Omit<LaneSpec<B, F, never, never, never, never, never>, Sent> & { buildsOnly: string },
): BuildLane =>
  // It has none of them, which the erased type no longer expresses.
  defineLane(spec) as BuildLane
