// The execution half of a venue: a lane. It builds unsigned artifacts, sends what the caller signed, and reads the truth back. A lane
// knows its venue and nothing else: no database, no accounts, no idempotency. What it cannot do, it does not have.
//
//   body ─► gatherFacts ─► build ─► checkBounds ─► (stored by the core) ─► prepare ─► relay ─► read
import type { z } from 'zod'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { HttpClient, HttpSender } from '#net/http'
import type { ExecutionStatus, Intent, JsonObject } from '#schemas/executions'
import type { Market, Outcome } from '#schemas/market'
import type { AskedVenue, ExecutionVenue, RefreshedVenue } from '#schemas/venues'

/** A request leaves, signed, within this of its claim, or not at all. */
export const relayWithinMs = 45_000

/** What every lane function gets. `urls` are the operator's; a caller's credentials come with the call that needs them, as `Secret`. */
export interface LaneContext {
  /** For reads: retries, waits, throws NETWORK_ERROR. Never for anything that places, changes or cancels an order. */
  http: HttpClient
  /** For what must go out once: exact bytes, one attempt, and the truth about what is known of it. */
  sender: HttpSender
  clock: Clock
  log: Log
  urls: Readonly<Record<string, string>>
  /** What the operator said, by the names in the lane's `settings`; each has the shape that stands there. */
  settings: Readonly<Record<string, string>>
  signal: AbortSignal
  catalog: LaneCatalog
  /**
   * Waits for a turn at work that costs processor time, of which few pieces run at once: in all, and for each account. Throws RATE_LIMITED when
   * too much waits already.
   */
  heavy<T>(work: () => T | Promise<T>): Promise<T>
  /** Cryptographically strong; tests give their own. */
  randomBytes(length: number): Uint8Array
  randomUuid(): string
}

/** The catalog as a lane asks it. Throws OUTCOME_NOT_FOUND, MARKET_NOT_FOUND, CATALOG_UNAVAILABLE, or VALIDATION_ERROR when ambiguous. */
export interface LaneCatalog {
  /** By outcome id (`asset`); `marketId` settles an id that names outcomes of several markets. */
  outcome(outcomeId: string, marketId?: string): Promise<ResolvedOutcome>
  /** By market and side: `outcome` + `outcomeSide` of a build body. */
  side(marketId: string, side: 'YES' | 'NO'): Promise<ResolvedOutcome>
}

export interface ResolvedOutcome {
  market: Market
  outcome: Outcome
  /** Position in the market: YES is the first outcome of a binary market. */
  side: 'YES' | 'NO'
}

/** What an order is, said alike for every venue: kept beside the artifact for bounds, conditional orders and reports. */
export interface OrderTerms {
  marketId: string
  outcomeId: string
  outcomeSide: 'YES' | 'NO'
  isBuy: boolean
  /** Probability dollars and contracts or shares, decimal strings as they stand in the artifact (after the venue's rounding). */
  price: string
  size: string
}

/**
 * What an artifact says, read off it and nothing else: what a person is shown before it is signed. Decimal strings. Null: the artifact does
 * not say it.
 */
export type Described =
  | DescribedOrder
  /** `orderId`: the venue's, or ours where the artifact names that one. */
  | { intent: 'cancel'; orderId: string }
  /** `instrument`: what is redeemed, by the name that stands in the artifact. */
  | { intent: 'redeem'; instrument: string }

export interface DescribedOrder {
  intent: 'order' | 'modify'
  /** Of a modify: what it changes. */
  orderId?: string
  /** What is traded, by the name that stands in the artifact. */
  instrument: string
  /** Which of the catalog's ids `instrument` is. Absent where it is neither. */
  instrumentIs?: 'marketId' | 'outcomeId'
  outcomeSide: 'YES' | 'NO' | null
  isBuy: boolean
  /** The venue has one book: buying an outcome at p and selling the other at 1 − p are the same artifact, which may be read as either. */
  mirrored?: true
  /** Probability dollars, and contracts or shares: no worse a price and no larger a size can come of it. */
  price: string | null
  size: string | null
  /**
   * True: `size`, `costMax` and `bringsMin` are in the smallest parts of a token of which the artifact does not say how many decimals it has.
   */
  inUnits?: true
  currency: string | null
  /** The most it can cost, before fees; 0 for a sale of what the venue wants to see first. */
  costMax: string | null
  /** Of a sale: what it brings at least once all of it is filled, before fees. A purchase brings what it is the size of. */
  bringsMin: string | null
  /** What the artifact itself says of fees: a rate that its signer agrees to. */
  fee: JsonObject | null
  timeInForce: 'good-til-cancel' | 'good-til-date' | 'immediate-or-cancel' | 'fill-or-kill' | null
  /** Epoch ms; null where it does not end by itself. */
  expiresAt: number | null
}

export interface Built {
  /** The artifact, stored canonically with its hash. Plain JSON; no credential, no `buildVersion` (the core adds it beside). */
  unsigned: JsonObject
  /** Null for intents that are no order. */
  terms: OrderTerms | null
  /** Decimal string of USD the order can cost at most, before fees; null when the venue's unit has no known dollar value. */
  notionalUsd: string | null
  /** Null when no verified model exists. */
  feeEstimate: JsonObject | null
  /** Facts `checkBounds` needs again at submit: tick, exchange address, maximal amounts … */
  bounds: JsonObject
  /**
   * How the venue will know this order if it takes it: a client order id, or an order hash that follows from the artifact. Lets refresh find
   * an order whose acceptance was never heard.
   */
  clientRef: string | null
  warnings: string[]
  collateral?: JsonObject
  /** Controlling wallet, where the lane needs one. */
  owner: string | null
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
  /** When the present status was reached, epoch ms. Of what is in flight never before it was sent, however long ago it was built. */
  statusSince: number
  /** The first look at which the venue did not show the order, epoch ms; null when the last look showed it, and before any. */
  missingSince: number | null
  /** The most the venue ever said was filled, decimal string of contracts or shares; null when it never said. */
  matchedSize: string | null
  /** Of cancel and modify: what they act on. */
  target: LaneExecution | null
}

/** What is about to be sent. `submittedArtifact` is stored: the signed artifact, or the authless one; never a credential. */
export interface Prepared {
  submittedArtifact: JsonObject
  /** Known before sending where it follows from the artifact (an order hash): stored with `submitted`. */
  venueRef: string | null
}

type Said = string | number | null | undefined

/**
 * What an answer says of the order it is about: each beside what is ours. What is not told contradicts nothing, and neither does what we do not
 * know. Numbers are compared as numbers, words without regard to case. src/venues/shared/exec/another.ts decides.
 */
export type About = Readonly<Record<string, readonly [told: Said, ours: Said]>>

/**
 * Only positive evidence is a rejection; silence is not refusal. `refused`: the venue turned the credentials down before it looked at the
 * order (nothing can have been placed, the execution may be submitted again under a new key).
 */
export type RelayOutcome =
  | {
      kind: 'accepted'
      venueRef: string | null
      status: 'acked' | 'filled' | 'canceled'
      fills: VenueFill[]
      /** What the answer says is filled already, decimal string above zero; kept as what a refresh reads of it. */
      matchedSize?: string
      /** Beside `venueRef`, which is compared with that of `Prepared` where both are known. */
      about?: About
    }
  | { kind: 'rejected'; reason: string; about?: About }
  /** `code`: a refusal the specification names by its own code; otherwise it is VENUE_CREDENTIAL_REJECTED. */
  | {
      kind: 'refused'
      reason: string
      /** We turned the credentials down ourselves: the venue was not asked. */
      local?: true
      /** NETWORK_ERROR: nothing was sent, or the venue takes no requests now; the reason is in our own words. */
      code?: 'GEMINI_TIME_NONCE_REQUIRED' | 'GEMINI_HEARTBEAT_KEY_UNSUPPORTED' | 'NETWORK_ERROR'
    }
  | { kind: 'unknown'; cause: unknown }

export interface VenueFill {
  /** The venue's own id of the fill, unique within the execution: what makes appending it twice impossible. */
  key: string
  /** Venue-shaped. */
  fill: JsonObject
  /** Epoch ms. */
  filledAt: number
}

/**
 * What refresh read. `status` null: the answer proves nothing, the stored status stays. What ends an order is the venue's word or a rule of
 * the venue; that one read does not show it is neither.
 */
export interface Observation {
  status: ExecutionStatus | null
  /** True: the status follows from absence and time. It ends what is in flight, and corrects nothing. */
  inferred?: boolean
  /** Of a cancel: what it cancels. False: the venue was asked for this very order and does not show it. Absent: the read says neither. */
  shown?: boolean
  /** What the venue says is filled of it, decimal string; kept, and handed to the next read as `matchedSize`. */
  matchedSize?: string
  venueRef: string | null
  /** All fills the venue tells of this order; known ones are skipped by key. */
  fills: VenueFill[]
  /** The venue shows that what was sent has not been done: no such order, an order not cancelled, not changed. Absent: the read does not say. */
  undone?: boolean
  /** Something at the venue may be it, and nothing says whether it is: an order stands, or something was traded. */
  mayBe?: 'order' | 'trade'
  /** Fills that came to nothing, by the key they may have been told under before. */
  withdrawn?: VenueFill[]
  /** Beside `venueRef`, which is compared with the stored one: a lane finds no other order than it was asked about. */
  about?: About
  /** Shown once with the answer, credentials taken out; not stored. */
  observation?: JsonObject
  /** The venue's reason, verbatim, when status is failed; the core sanitises it. */
  reason?: string
}

/**
 * Whom a read is answered for. `anybody`: everybody is shown the same. `owner`: the execution's owner; the venue turns down what is another's.
 * Otherwise the name, kept secret by nobody, of the account that the credentials are of: submit's body has the same members. Null: they do
 * not say.
 */
export type Asks<Read> = 'anybody' | 'owner' | ((credentials: Read) => string | null)

/** What is known of an order that is looked for by its likeness. */
export interface Search {
  /** Epoch ms. */
  sentAt: number
  /** Of the orders asked about: those that are other executions' of the same account. */
  claimed: ReadonlySet<string>
  /** Executions, it among them, with the very same artifact and sent within `apartMs` of each other, of which nobody knows the order. */
  alike: number
}

/** Until when a copy of what was sent may still be accepted, by a rule of the venue. */
export interface LateBound {
  /** Epoch ms. */
  untilMs: number
  /** The rule, for whoever reads why an order failed. */
  rule: string
}

/** What an operator says of a venue where its public facts end: `CROSSBOOK_<VENUE>_<NAME>`, refused at start where it has another shape. */
export interface LaneSetting {
  shape: z.ZodType<unknown, string>
  /** What it is, for whoever reads why a lane is not armed: "the chain of its exchange". */
  is?: string
  /** Without it the lane is not armed. */
  needed?: true
}

export interface LaneSpec<Body, Facts, Send, Read, CancelBody, ModifyBody, RedeemBody> {
  slug: ExecutionVenue
  /** Of the artifacts' shape; raised when a stored one can no longer be sent. */
  buildVersion: number
  /** Default base URLs, each overridden by CROSSBOOK_<VENUE>_<NAME>_URL. The same names as the data half's where both exist. */
  urls: Readonly<Record<string, string>>
  settings?: Readonly<Record<string, LaneSetting>>
  /** Read at the operator's nodes, `urls.RPC` (CROSSBOOK_<VENUE>_RPC_URL, a comma list). `needed`: without one the lane is not armed. */
  chain?: { id: number; needed?: true }
  /** Armed only where CROSSBOOK_<VENUE>_LANE says so. */
  defaultOff?: true
  /** Where the operator arms no more of it (CROSSBOOK_<VENUE>_LANE=settlement): what is resolved is redeemed, and no order is taken. */
  settlementOnly?: true
  /** Why it builds and does nothing else: shown where a verb is missing. */
  buildsOnly?: string
  ownerRequired: boolean
  /** ISO 3166-1 alpha-2 countries the venue does not serve; checked at build and submit: VENUE_REGION_BLOCKED. */
  blockedCountries: readonly string[]
  /** Shapes of `unsigned`, by intent: the schemas that stored ones are read back with. */
  artifacts: { readonly order: z.ZodType } & { readonly [Other in Exclude<Intent, 'order'>]?: z.ZodType }
  order: {
    /** Strict: unknown keys, and every key that smells of a credential, are refused. Without `dryRun` and `intent`: the core reads those. */
    body: z.ZodType<Body>
    gatherFacts(context: LaneContext, body: Body): Promise<Facts>
    /** Pure but for the entropy in `context` and its clock. Throws VALIDATION_ERROR. */
    build(context: LaneContext, body: Body, facts: Facts): Built
  }
  /** Pure; at build and again at submit. Throws ARTIFACT_BOUNDS_VIOLATION. */
  checkBounds(unsigned: JsonObject, bounds: JsonObject): void
  /** Of every artifact the lane builds. Pure: it knows nothing but the artifact. Throws ARTIFACT_BOUNDS_VIOLATION where it is none. */
  describe(unsigned: JsonObject): Described
  cancel?: {
    body: z.ZodType<CancelBody>
    build(context: LaneContext, target: LaneExecution, body: CancelBody): Promise<Built>
  }
  modify?: {
    body: z.ZodType<ModifyBody>
    /** True: the venue takes the old order out and puts a new one, under a new id, in its place. Else the order is changed and keeps its id. */
    replaces?: true
    build(context: LaneContext, target: LaneExecution, body: ModifyBody): Promise<Built>
  }
  redeem?: { body: z.ZodType<RedeemBody>; build(context: LaneContext, body: RedeemBody): Promise<Built> }
  submit?: {
    /** Signature or transient credentials; secrets parse into `Secret`. */
    body: z.ZodType<Send>
    /** Verifies the signature against the artifact and its owner (VALIDATION_ERROR). Sends nothing. */
    prepare(context: LaneContext, execution: LaneExecution, send: Send): Promise<Prepared>
    /** One attempt, no retry. Never throws for what the venue or the network did: that is an outcome. */
    relay(context: LaneContext, execution: LaneExecution, prepared: Prepared, send: Send): Promise<RelayOutcome>
    /**
     * Absent or null: no rule of the venue says when a late copy is refused. `signedBy`: no request of this execution was signed later,
     * epoch ms.
     */
    lateBound?(execution: LaneExecution, signedBy: number): LateBound | null
    /** Names of the body's fields, for GET /v1/exec/venues. */
    fields: readonly string[]
  }
  refresh?: {
    body: z.ZodType<Read>
    /** True: an empty body will do, and the reconciler polls by itself. */
    credentialFree: boolean
    /** What the venue does not show to another account than the order was submitted as proves nothing. */
    asks: Asks<Read>
    /** Throws VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. Asked only with a venueRef, or with a clientRef after a submit of unknown outcome. */
    read(
      context: LaneContext,
      execution: LaneExecution,
      credentials: Read,
      /** Of a venue that knows no name of ours for the order. */
      search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
      /** The fills that are kept of it. */
      recorded?: () => Promise<readonly JsonObject[]>,
      /** When the venue acknowledged a cancellation of it that was submitted here, epoch ms; null: it did not. */
      canceledAt?: () => Promise<number | null>,
    ): Promise<Observation>
    fields: readonly string[]
  }
}

/** A lane with its body types erased: bodies have passed the lane's own schemas before they come back to it. */
export type Lane = LaneSpec<unknown, unknown, unknown, unknown, unknown, unknown, unknown>

export function defineLane<B, F, S = never, R = never, C = never, M = never, D = never>(
  spec: LaneSpec<B, F, S, R, C, M, D>,
): Lane {
  // The core parses with the very schemas of `spec` before it calls, so the erased value is the typed one.
  return spec as unknown as Lane
}

/** What a look at an execution asks of its lane. */
export interface ReadingLane extends Pick<Lane, 'submit' | 'modify' | 'refresh' | 'buildsOnly'> {
  slug: AskedVenue
}

/** Of a venue at which nothing is built here: executions of it that the storage has are looked at, and that is all. */
export interface StatusLane extends Pick<ReadingLane, 'refresh'> {
  slug: RefreshedVenue
  urls: Readonly<Record<string, string>>
}

export const defineStatusLane = <R>(
  spec: Omit<StatusLane, 'refresh'> & Pick<LaneSpec<never, never, never, R, never, never, never>, 'refresh'>,
): StatusLane => spec as unknown as StatusLane

/** Of a venue that documents nowhere how it is sent an order: what is built here its caller sends, and nothing is read back. */
export type BuildLane = Lane & { [Verb in Sent]?: never }
type Sent = 'submit' | 'refresh' | 'cancel' | 'modify'

export const defineBuildLane = <B, F>(
  spec: Omit<LaneSpec<B, F, never, never, never, never, never>, Sent> & { buildsOnly: string },
): BuildLane =>
  // It has none of them, which the erased type no longer says.
  defineLane(spec) as BuildLane
