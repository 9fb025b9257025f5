// What venues charge for taking a leg and for settling it, as data: venues declare a market's model, and the pricing code compiles it.

/** Rates are dollars per contract at the formula's price term. */
export type FeeModel =
  /**
   * rate × multiplier × C × P × (1 − P). `cent`: the sum over levels is rounded up once; `centicent`: each level is rounded up to
   * $0.0001.
   */
  | { kind: 'kalshi_quadratic'; rate: number; multiplier: number; rounding: 'cent' | 'centicent' }
  /** rate × C × P × (1 − P) per level, rounded half to even to the cent. */
  | { kind: 'quadratic_half_even'; rate: number }
  /** rate × C × (P × (1 − P))^exponent, the sum over levels truncated to five decimals. */
  | { kind: 'polymarket_curve'; rate: number; exponent: number }
  | { kind: 'none' }
  /** No verified model: the leg cannot be priced. `atMost`: as far as the venue publishes its rates. */
  | { kind: 'unknown'; reason: string; atMost?: FeeCeiling }

/** The most that a taker pays for one contract bought at P, dollars, without rounding. */
export type FeeCeiling =
  /** rate × P × (1 − P) */
  | { kind: 'quadratic'; rate: number }
  /** rate × min(P, 1 − P) */
  | { kind: 'cheaper_side'; rate: number }
  /** rate × P */
  | { kind: 'notional'; rate: number }

/** Fee charged at settlement. Only the winning leg pays. Which one wins is unknown, so a row is charged the larger of the two legs' fees. */
export type SettlementFee =
  | { kind: 'none' }
  /** Rate on the payout. */
  | { kind: 'payout_rate'; rate: number }
  /** Rate on the payout less the cost of the winning leg. */
  | { kind: 'profit_rate'; rate: number }
  | { kind: 'unknown'; reason: string }

/** Everything a taker in one market pays on top of the price. */
export interface MarketFees {
  fee: FeeModel
  settlementFee: SettlementFee
}
