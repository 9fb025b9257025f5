// Scores of single trades, version t1: docs/trader-scores.md. Pure; computed once, from what was known when the trade was recorded.
import type { TradeFactors } from '#schemas/traders'
import { tenths } from './walletScoreV1.ts'

export const weights = { walletScore: 0.5, size: 0.2, entry: 0.2, timing: 0.1 } as const
/** An unknown factor counts as the middle: neither for the trade nor against it. */
const unknown = 50
/** Doublings of the wallet's usual trade from the middle to the end of the scale. */
const sizeDoublings = 3
/** With this much of a market's life ahead `timing` is 50. */
const timingHalfMs = 3 * 86_400_000

export interface ScoredTrade {
  /** The wallet's score at that moment; null: not scored yet. */
  walletScore: number | null
  /** This trade, and the mean of the wallet's trades before; null: unknown. */
  usd: number | null
  usualUsd: number | null
  side: 'buy' | 'sell'
  /** Probability of the outcome; null: the venue gave none. */
  price: number | null
  ts: number
  /** When the market is to be resolved, epoch ms; null: unknown. */
  closesAt: number | null
}

export function tradeScore(trade: ScoredTrade): { score: number; factors: TradeFactors } {
  const factors = { walletScore: trade.walletScore, size: size(trade), entry: entry(trade), timing: timing(trade) }
  let score = 0
  for (const name of Object.keys(weights) as (keyof typeof weights)[])
    score += weights[name] * (factors[name] ?? unknown)
  return { score: tenths(score), factors }
}

/** 50 at its usual size, 100 from eight times that, 0 at an eighth. */
function size({ usd, usualUsd }: ScoredTrade): number | null {
  if (usd === null || usualUsd === null || usualUsd <= 0) return null
  return usd <= 0 ? 0 : tenths(50 + (50 * Math.log2(usd / usualUsd)) / sizeDoublings)
}

/** The remaining potential gain, in hundredths: a purchase at 0.97 has little. */
function entry({ side, price }: ScoredTrade): number | null {
  if (price === null) return null
  return tenths(100 * (side === 'buy' ? 1 - price : price))
}

/** How early: towards 100 long before the market is resolved, 0 at its end. */
function timing({ ts, closesAt }: ScoredTrade): number | null {
  if (closesAt === null) return null
  const aheadMs = Math.max(0, closesAt - ts)
  return tenths((100 * aheadMs) / (aheadMs + timingHalfMs))
}
