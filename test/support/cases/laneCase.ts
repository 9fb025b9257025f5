// What the suites of lanes want to know of a venue: how to be a customer of its lab, and its words.

import type { MarketTruth } from '#lab/engine/market'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { Lab } from '#lab/lab'
import type { MarketFacts } from '#lab/marketFacts'
import type { JsonObject } from '#schemas/executions'
import type { LaneLab } from '#test/support/laneLab'
import type { Reply, Seen } from '#test/support/laneWorld'
import type { ResolvedOutcome } from '#venues/lane'
import type { LaneVenue } from '#venues/registry'

export type Credentials = Record<string, string>

/** A lane as `GET /v1/exec/venues` lists it. */
export interface Listed {
  /** Beside build and its preview. */
  verbs: readonly ('modify' | 'cancel' | 'redeem' | 'submit' | 'refresh')[]
  /** Fields of submit and refresh, in their order. */
  submit: readonly string[]
  refresh: readonly string[]
  /** `flag`, `dark`: where the operator arms it. `settings`: where the operator says what nobody documents. */
  arming: 'on' | 'flag' | 'dark' | 'settings'
}

/** How an answer that is about another order is known for one, and whom a read is answered for. */
export interface Answers {
  /**
   * Of an acceptance. `ref`: the order's id is known before it is sent. `name`: the answer carries our name for it. `members`: it says what is
   * ordered. `silent`: the venue's public documents give nothing to hold it against.
   */
  acceptance: 'ref' | 'name' | 'members' | 'silent'
  /** `key`: the account that the credentials name. `unsaid`: those of the lab name none. */
  asks: 'anybody' | 'owner' | 'key' | 'unsaid'
}

export interface LaneCase<V extends LaneVenue> {
  listed: Listed
  answers: Answers
  /** Parts of the paths that orders go to, and cancellations and changes where it takes them. */
  orderPath: string
  cancelPath?: string
  changePath?: string
  /** By what the lab's `book` is asked for a market, and its key in the lab's engine. */
  bookId(facts: MarketFacts): string
  marketKey(lab: Lab[V], bookId: string): string
  /** Markets that its build takes orders of; all unless told. */
  takes?(truth: MarketTruth, facts: MarketFacts): boolean
  customer(here: LaneLab<V>): Promise<Customer> | Customer
  /** Somebody else, where one sends one thing at a time; `n` is whoever it is. The customer unless told. */
  another?(here: LaneLab<V>, n: number): Promise<Customer> | Customer
  /** The customer's body for so many contracts; its `size`, or `amount`, unless told. */
  sized?(order: JsonObject, contracts: number): JsonObject
  /** What a cancellation's build wants; nothing unless told. A function where it wants what the lab alone knows of the order; null: of any. */
  cancelBody?: JsonObject | ((order: SimulatedOrder | null) => JsonObject)
  /** What submit wants beside the credentials. Absent where nothing is signed by a wallet. */
  wallet?: {
    sign(unsigned: JsonObject): Promise<string>
    signsCancellations: boolean
    /** Right in form, and of nobody; signatures of secp256k1 unless told. */
    forged?: readonly string[]
  }
  /** What every build warns of. */
  warning?: RegExp
  /** What its reads tell of an order beside that it rests; all of it unless told. */
  tells?: Partial<Tells>
  /** What is asked before each other thing, and answered well: a token. What stands in the answer is as secret as the credentials. */
  before?: { path: string; answer: object }
  made: MadeMarket
  /** Each way in which a caller may be known, and all that it takes. None where no credentials are sent. */
  secrets: readonly Secrets[]
  /** What goes with them and is no secret: whose order it is. */
  names?: Credentials
  words: LaneWords
}

/** New ones each time, well formed and nobody's. */
export type Secrets = () => Credentials

export interface Tells {
  /** That an order is there whose acceptance was never heard. */
  lost: boolean
  /** That an order rests. */
  resting: boolean
  filled: boolean
  canceled: boolean
  /** That one's time was over, in a word of its own. */
  expired: boolean
  /** That one which never came can come no more. */
  neverCame: boolean
}
export const tellsAll: Tells = {
  lost: true,
  resting: true,
  filled: true,
  canceled: true,
  expired: false,
  neverCame: false,
}

/** Somebody who trades at the lab. */
export interface Customer {
  /** Body of a build: buys ten or more YES at the best bid, so that it rests. */
  order: JsonObject
  credentials: Credentials
  /** Alike in form, and refused; null where no credentials are sent. */
  wrong: Credentials | null
  /** What the lab keeps of the account, oldest first. */
  orders(): readonly SimulatedOrder[]
  /** In place of the case's `wallet`, where signing asks the lab. */
  signed?: Signed
}

/** What submit wants beside the credentials. */
export type Signed = (unsigned: JsonObject, intent: 'order' | 'cancel') => Promise<Credentials>

/** A market that no lab has, for suites in which the venue says what they want. */
export interface MadeMarket {
  rows: ResolvedOutcome[]
  /** Body of a build. */
  order: JsonObject
  /** What a build, or a submit before it sends, asks the venue; a status with whatever else. Absent where nothing is asked. */
  reads?(seen: Seen): Reply
}

/** A text of the venue's and the statuses under which its documents tell of it. `say` puts in what a venue may repeat to its sender. */
export interface Word {
  say(message: string): object
  under: readonly number[]
}

export interface LaneWords {
  /** An id of the venue's. */
  ref: string
  /** `cancel`: where it takes cancellations. */
  acceptance: { order: string; cancel?: string }
  /** Of an order of ten that was matched at once for 4.5; null: its acceptance does not say how much. */
  partly: object | null
  /** Its own refusal of the order, and of the key; null: no key is sent. */
  refusal: Word
  /** Of a cancellation, where its documents tell of that under other statuses. */
  cancelRefusal?: Word
  wrongKey: Word | null
  /** Its own word that it limits requests, and that an order repeats our own; null: none is documented. */
  limited: Word | null
  duplicate: Word | null
  /** A 429 of anyone lets the same bytes be sent again: the venue takes them only once. */
  takesSameBytesOnce?: true
  /** Like a refusal of the venue's, and none that is known of it. */
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
