// What an account holds at a venue, as the venue or its contracts show it: for the comparison with our own journal. A venue whose lane has no
// such read is left out of the comparison. Every read either answers or throws: a failed one never looks like an empty account.
import type { z } from 'zod'
import type { LaneContext } from './laneContext.ts'

export interface Holdings {
  positions: HeldPosition[]
  /** Every list was read to its end, and every row was read: only then does a missing row mean that nothing is held. */
  isComplete: boolean
  balances: HeldBalance[]
  /** Absent: not read. */
  openOrders?: OpenOrders
  /** Fills the venue shows of the last minutes, for what our journal does not have yet. Absent: not read. */
  recentFills?: RecentFill[]
  /** The time of this state, epoch ms: the venue's if it gives one. */
  asOf: number
}

/** Decimal strings. */
export interface HeldPosition {
  /** Null: the venue names only the outcome; its market is in the catalog. */
  marketId: string | null
  outcomeId: string
  /** Contracts or shares. Below zero: short. */
  quantity: string
  /** Paid per share, before fees; null: not reported. */
  averageCost: string | null
}

export interface HeldBalance {
  /** A symbol; null: the venue names none. */
  currency: string | null
  /** Null: not reported. */
  total: string | null
  /** What orders can spend; null: not reported. */
  available: string | null
}

export interface OpenOrders {
  orders: HeldOrder[]
  /** As for positions. */
  isComplete: boolean
}

/** An order that rests at the venue. Null: the venue does not report it. */
export interface HeldOrder {
  /** As an execution has it in `venueRef`. */
  venueRef: string
  marketId: string | null
  outcomeId: string | null
  isBuy: boolean | null
  /** Of the outcome. */
  price: string | null
  /** Contracts or shares that are not filled. */
  remaining: string | null
}

export interface RecentFill {
  outcomeId: string
  isBuy: boolean
  /** Above zero. */
  size: string
  /** Epoch ms. */
  at: number
}

/** `A`: names the account, public. `C`: the caller's, used for this read alone; secrets parse into `Secret`. */
export interface HoldingsSpec<A, C> {
  source: 'venue_api' | 'chain'
  /** Absent: the credentials name the account. */
  account?: z.ZodType<A>
  /** Absent: anyone can read it. */
  credentials?: z.ZodType<C>
  /**
   * Of a venue with one signed position per market: its YES and NO, which cancel each other. Absent: an account holds each outcome separately.
   * Pure.
   */
  sides?(marketId: string): readonly [yes: string, no: string]
  /** The venue rounds quantities to multiples of this. Absent: they are exact. */
  quantityStep?: string
  /** The venue rounds average costs to multiples of this. */
  costStep: string
  /** Throws VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. */
  read(context: LaneContext, account: A, credentials: C): Promise<Holdings>
}

/** With its body types erased: bodies have passed its own schemas before they come back to it. */
export type HoldingsReader = HoldingsSpec<unknown, unknown>

export const defineHoldings = <A = null, C = null>(spec: HoldingsSpec<A, C>): HoldingsReader =>
  spec as unknown as HoldingsReader
