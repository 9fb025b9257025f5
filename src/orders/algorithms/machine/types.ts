// What the state machines of algorithms are given, and what they decide. Prices are whole micros of a dollar, sizes whole millionths of a
// contract, times epoch ms.
import type { AlgorithmEnd, AlgorithmParameters, AlgorithmWait } from '#schemas/algorithms'

export interface AlgorithmPlan {
  parameters: KindParameters
  side: 'buy' | 'sell'
  size: number
  limitPrice: number
  sizeStep: number
  minSliceSize: number
  postOnly: boolean
  /** Slices that take are immediate-or-cancel at this venue. */
  takesAtOnce: boolean
  startsAt: number
  expiresAt: number
  /** Resting orders of this account are in the books that it is shown. Not those of a paper account. */
  showsOwnOrders: boolean
}

type Sized<P> = P extends unknown
  ? 'displaySize' extends keyof P
    ? Omit<P, 'displaySize'> & { displaySize: number | null }
    : P
  : never
/** As given, with sizes in millionths. */
export type KindParameters = Sized<AlgorithmParameters>

export interface LiveSlice {
  number: number
  price: number
  size: number
  takes: boolean
  /** Number of the interval or phase for which it was decided. */
  stage: number
  decidedAt: number
  /**
   * `decided`: not built yet. `offered`: built, and its owner may submit it. `ready`: built, and sent from here. `sent`: at the venue, or
   * its outcome is unknown.
   */
  state: 'decided' | 'offered' | 'ready' | 'sent'
  /** Reported by the venue so far. */
  filled: number
  /** Of an offered one. */
  signBy: number | null
  /** `null`: no cancel of it is wanted yet. */
  cancel: 'awaiting_signature' | 'sent' | null
  isOutcomeUnknown: boolean
  /** It has ended at the venue, which has not reported what was filled. */
  isFillUnknown: boolean
}

/** Signed in advance, and not used yet. */
export interface PlannedSlice {
  number: number
  price: number
  size: number
}

export interface AlgorithmProgress {
  /** Of all slices, the live one included; rounded up. */
  filled: number
  live: LiveSlice | null
  /** The newest slice that has ended. */
  last: { stage: number; decidedAt: number } | null
  /** Slices so far. */
  count: number
  /** Lowest first; null: slices are decided as they are due. */
  planned: readonly PlannedSlice[] | null
  /** Slices in a row that failed or were refused. */
  failures: number
  /** Slices in a row that were not submitted in time. */
  unsigned: number
  /** Nothing is sent before, after a refusal. */
  retryAt: number | null
  /** It was canceled, or has to end for a reason that is not in this state. */
  endsAs: AlgorithmEnd | null
  /** An ended slice is open again at the venue. */
  hasReopened: boolean
}

/** `isLive` false: it is stale, has a gap, or is not known. */
export interface MarketView {
  isLive: boolean
  /** Best first. */
  bids: readonly BookLevel[]
  asks: readonly BookLevel[]
}

export interface BookLevel {
  price: number
  size: number
}

export interface WantedSlice {
  /** Null: decided now. Otherwise the number of one that was signed in advance. */
  planned: number | null
  price: number
  size: number
  takes: boolean
  stage: number
}

export type AlgorithmDecision =
  | { kind: 'slice'; slice: WantedSlice }
  /** The live slice is built. */
  | { kind: 'build' }
  /** The live slice is sent from here. */
  | { kind: 'send' }
  /** The live slice is taken back, or canceled at the venue. `isUnsigned`: because it was not submitted in time. */
  | { kind: 'withdraw'; isUnsigned: boolean }
  /** `until`: when something changes by itself; null: when something else changes. */
  | { kind: 'wait'; reason: AlgorithmWait; until: number | null }
  /** Nothing more is sent; the live slice is withdrawn first. */
  | { kind: 'end'; as: AlgorithmEnd; why: string | null }
