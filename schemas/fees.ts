// What venues charge for taking a leg and for settling it, as data: venues say which model a market has, and the pricing code compiles it.

/** Rates are dollars per contract at the formula's price term. */
export type FeeModel =
  /** rate × multiplier × C × P × (1 − P). `cent`: the sum over levels is rounded up once; `centicent`: each level is, to $0.0001. */
  | { kind: 'kalshi_quadratic'; rate: number; multiplier: number; rounding: 'cent' | 'centicent' }
  /** rate × C × P × (1 − P) of each level, rounded to the cent, halves to the even one. */
  | { kind: 'quadratic_half_even'; rate: number }
  /** rate × C × (P × (1 − P))^exponent, the sum over levels cut off after five decimals. */
  | { kind: 'polymarket_curve'; rate: number; exponent: number }
  | { kind: 'none' }
  /** No verified model: the leg cannot be priced. */
  | { kind: 'unknown'; reason: string }

/** What is taken when the market settles. Only the winning leg pays; a row carries the dearer of its two outcomes. */
export type SettlementFee =
  | { kind: 'none' }
  /** Share of the payout. */
  | { kind: 'payout_rate'; rate: number }
  /** Share of the payout less what the winning leg cost. */
  | { kind: 'profit_rate'; rate: number }
  | { kind: 'unknown'; reason: string }

/** All that a taker of one market pays beside the price. */
export interface MarketFees {
  fee: FeeModel
  settlementFee: SettlementFee
}
