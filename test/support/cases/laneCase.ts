// What the adapter suites need for a venue: how to be a customer of its lab, and its responses.

import type { MarketTruth } from '#lab/engine/market'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { Lab } from '#lab/lab'
import type { MarketFacts } from '#lab/marketFacts'
import type { JsonObject, PositionIntent } from '#schemas/executions'
import type { LaneLab } from '#test/support/laneLab'
import type { Reply, Seen } from '#test/support/laneWorld'
import type { ResolvedOutcome } from '#venues/lane'
import type { LaneVenue } from '#venues/registry'

export type Credentials = Record<string, string>

/** An adapter as in `GET /v1/exec/venues`. */
export interface Listed {
  /** Besides build and its preview. */
  verbs: readonly ('modify' | 'cancel' | 'redeem' | PositionIntent | 'submit' | 'refresh')[]
  /** Fields of submit and refresh, in order. */
  submit: readonly string[]
  refresh: readonly string[]
  /** `flag`, `dark`: where the operator enables it. `settings`: where the operator provides undocumented values. */
  arming: 'on' | 'flag' | 'dark' | 'settings'
}

/** How a response about another order is detected, and who may read an order. */
export interface Answers {
  /**
   * For an acceptance. `ref`: the order's id is known before it is sent. `name`: the response has our client id. `members`: it repeats the
   * ordered values. `silent`: the venue's public documentation offers nothing to compare.
   */
  acceptance: 'ref' | 'name' | 'members' | 'silent'
  /** `key`: the account of the credentials. `unsaid`: the lab's credentials name no account. */
  asks: 'anybody' | 'owner' | 'key' | 'unsaid'
}

export interface LaneCase<V extends LaneVenue> {
  listed: Listed
  answers: Answers
  /** Parts of the URL paths of orders, and of cancellations and modifications where supported. */
  orderPath: string
  cancelPath?: string
  changePath?: string
  /** The market id for the lab's `book`, and its key in the lab's engine. */
  bookId(facts: MarketFacts): string
  marketKey(lab: Lab[V], bookId: string): string
  /** Markets whose orders can be built; default: all. */
  takes?(truth: MarketTruth, facts: MarketFacts): boolean
  customer(here: LaneLab<V>): Promise<Customer> | Customer
  /** Another trader, where one can send only one thing at a time; `n` identifies it. Default: the customer. */
  another?(here: LaneLab<V>, n: number): Promise<Customer> | Customer
  /** The customer's body for this many contracts; default: sets `size` or `amount`. */
  sized?(order: JsonObject, contracts: number): JsonObject
  /** Body of a cancellation's build; default: empty. A function where it needs what only the lab knows of the order; null: of any. */
  cancelBody?: JsonObject | ((order: SimulatedOrder | null) => JsonObject)
  /** What submit needs besides the credentials. Absent if no wallet signs. */
  wallet?: {
    sign(unsigned: JsonObject): Promise<string>
    signsCancellations: boolean
    /** Well-formed signatures of another key; default: secp256k1. */
    forged?: readonly string[]
  }
  /** The warning of every build. */
  warning?: RegExp
  /** What its reads show of an order besides that it rests; default: all. */
  shows?: Partial<ShownStates>
  /** A successful request before every other one: a token. The response is as secret as the credentials. */
  before?: { path: string; answer: object }
  made: MadeMarket
  /** Each way to authenticate, with all its fields. Empty if no credentials are sent. */
  secrets: readonly Secrets[]
  /** Sent with them and not secret: whose order it is. */
  names?: Credentials
  words: LaneWords
}

/** New ones each time, well-formed and unregistered. */
export type Secrets = () => Credentials

export interface ShownStates {
  /** That an order exists whose acceptance was lost. */
  lost: boolean
  /** That an order rests. */
  resting: boolean
  filled: boolean
  canceled: boolean
  /** That an order expired, with a status of its own. */
  expired: boolean
  /** That an order which never arrived can no longer arrive. */
  neverCame: boolean
}
export const showsAll: ShownStates = {
  lost: true,
  resting: true,
  filled: true,
  canceled: true,
  expired: false,
  neverCame: false,
}

/** A trader at the lab. */
export interface Customer {
  /** Body of a build: buys ten or more YES at the best bid, so that it rests. */
  order: JsonObject
  credentials: Credentials
  /** Well-formed and rejected; null if no credentials are sent. */
  wrong: Credentials | null
  /** The lab's orders of the account, oldest first. */
  orders(): readonly SimulatedOrder[]
  /** Instead of the case's `wallet`, if signing needs the lab. */
  signed?: Signed
}

/** What submit needs besides the credentials. */
export type Signed = (unsigned: JsonObject, intent: 'order' | 'cancel') => Promise<Credentials>

/** A market without a lab, for suites in which the venue answers as they want. */
export interface MadeMarket {
  rows: ResolvedOutcome[]
  /** Body of a build. */
  order: JsonObject
  /** Response to what a build, or a submit before it sends, requests from the venue. Absent if nothing is requested. */
  reads?(seen: Seen): Reply
}

/** A response of the venue and the statuses under which it is documented. `say` inserts the text that a venue may echo. */
export interface Word {
  body(message: string): object
  under: readonly number[]
}

export interface LaneWords {
  /** A venue order id. */
  ref: string
  /** `cancel`: where cancellations are supported. */
  acceptance: { order: string; cancel?: string }
  /** Of an order of ten that was matched at once for 4.5; null: its acceptance has no matched size. */
  partly: object | null
  /** Its rejection of an order, and of a key; null: no key is sent. */
  refusal: Word
  /** Of a cancellation, if that is documented with other statuses. */
  cancelRefusal?: Word
  wrongKey: Word | null
  /** Its rate-limit response, and its response to a duplicate order; null: undocumented. */
  limited: Word | null
  duplicate: Word | null
  /** After any 429 the same bytes can be sent again: the venue accepts them only once. */
  takesSameBytesOnce?: true
  /** Similar to a rejection of the venue, but not documented as one. */
  undocumented: readonly object[]
}

export const clientErrors = [400, 401, 403, 404, 409, 413, 422]
const dollars = (micros: number): string => String(micros / 1e6)

export const buyYes = ({ bid }: { bid: number }, outcome: string): JsonObject => ({
  outcome,
  outcomeSide: 'YES',
  isBuy: true,
  price: dollars(bid),
  size: 50,
})
