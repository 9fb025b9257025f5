// The report of a backtest as data. Amounts are decimal strings, as everywhere in the API; points of charts are numbers.
import type { LogLine } from '../strategy/host.ts'

/** Increased when a field changes its meaning. */
export const reportVersion = 1

export interface EquityPoint {
  /** Epoch ms. */
  at: number
  /** Cash and the middle value of positions, in all currencies at par. */
  equity: number
  cash: number
  /** From the highest equity so far, zero or above. */
  drawdown: number
}

export interface InventoryPoint {
  at: number
  /** Contracts held of each outcome, in the order of `outcomes`. */
  held: number[]
}

export interface DayRow {
  /** UTC. */
  date: string
  venue: string
  marketId: string
  fills: number
  makerFills: number
  contracts: string
  /** Price times size of all fills. */
  turnover: string
  fees: string
}

export interface CalibrationBin {
  /** Quoted probabilities from here on, below `to`. */
  from: number
  to: number
  quotes: number
  /** Mean quoted probability; null: none quoted. */
  quoted: number | null
  /** Mean payout of what was quoted. */
  paid: number | null
}

export interface Calibration {
  /** Samples of the middle of own quotes in markets whose payout is known. */
  quotes: number
  /** Mean squared difference between quote and payout; null: nothing to compare. */
  brier: number | null
  bins: CalibrationBin[]
  byMarket: { venue: string; marketId: string; quotes: number; payout: number; brier: number }[]
  /** Markets that were quoted and are not known to be resolved. */
  unresolved: number
}

export interface GapRow {
  venue: string
  outcomeId: string
  kind: string
  from: string | null
  to: string | null
  reason: string | null
}

export interface BacktestReport {
  version: number
  strategy: { name: string; sha256: string }
  settings: {
    from: string
    to: string
    markets: string[]
    seed: string
    /** Per venue. */
    cash: string
    cashByVenue: Readonly<Record<string, string>>
    params: Readonly<Record<string, string>>
    fillModel: { latencyMedianMs: number; latencySigma: number; cancelShareAhead: number }
    sampleEveryMs: number
  }
  summary: {
    openingEquity: string
    equity: string
    pnl: string
    /** Realized, of positions that were closed or paid. */
    realizedPnl: string
    fees: string
    /** Fills at venues that publish no exact rate: what was charged is the most it may be, or nothing. */
    inexactFees: number
    maxDrawdown: number
    turnover: string
    fills: number
    makerFills: number
    orders: number
    cancels: number
    rejected: number
    ended: 'returned' | 'stopped'
  }
  cash: { venue: string; currency: string; cash: string }[]
  outcomes: { venue: string; marketId: string; outcomeId: string; label: string }[]
  positions: {
    venue: string
    marketId: string
    outcomeId: string
    quantity: string
    costBasis: string
    realizedPnl: string
    /** Null: no mark is known. */
    value: string | null
  }[]
  equity: EquityPoint[]
  inventory: InventoryPoint[]
  days: DayRow[]
  fills: {
    at: string
    venue: string
    marketId: string
    outcomeId: string
    side: 'buy' | 'sell'
    price: string
    size: string
    fee: string
    liquidity: 'taker' | 'maker'
    bookSeq: number
    tradeIds: string[]
  }[]
  /** Fills that are not listed, because there are too many. */
  fillsOmitted: number
  calibration: Calibration
  gaps: GapRow[]
  log: LogLine[]
  logOmitted: number
  tapeEvents: number
  warnings: string[]
  /** SHA-256 of everything above. */
  hash: string
}
