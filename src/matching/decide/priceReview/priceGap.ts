// Whether the prices of a verified pair differ by more than it costs to trade both books, and for how long. Pure. Prices only demote: a pair
// whose prices agree is never promoted.
import type { Polarity } from '../../match.ts'

/** Of the market's Yes, probability; null: unknown. */
export interface Quote {
  bid: number | null
  ask: number | null
}

/** The purchase of an answer in one market and of its opposite in the other: one contract each, at the quotes. */
export interface OppositePurchases {
  /** What both pay together less what they cost without fees, probability. Positive if the mid prices differ by more than half of both spreads. */
  gain: number
  /** What is paid in each market. */
  a: number
  b: number
}

export interface PriceGap {
  /** Epoch ms: since then every observation found a difference. */
  since: number
  /** Of the last observation with a difference. */
  seenAt: number
  /** By how much the difference exceeded the cost then, probability. */
  excess: number
  /** Null: it has not lasted long enough. */
  demotedAt: number | null
}

export const demotedAfterMs = 3_600_000
/** Without an observation for this long, a difference starts again. */
export const restartAfterMs = 20 * 60_000

/** The better of the two ways round; null if a side of a book is unknown or a book is crossed. */
export function oppositePurchases(a: Quote, b: Quote, polarity: Polarity): OppositePurchases | null {
  const [one, other] = [sidesOf(a, 'same'), sidesOf(b, polarity)]
  if (one === null || other === null) return null
  const yesOfA = { gain: other.bid - one.ask, a: one.ask, b: 1 - other.bid }
  const noOfA = { gain: one.bid - other.ask, a: 1 - one.bid, b: other.ask }
  return yesOfA.gain >= noOfA.gain ? yesOfA : noOfA
}

/** `inverse`: of the answer No. */
function sidesOf({ bid, ask }: Quote, polarity: Polarity): { bid: number; ask: number } | null {
  if (bid === null || ask === null || bid > ask) return null
  return polarity === 'same' ? { bid, ask } : { bid: 1 - ask, ask: 1 - bid }
}

/** The gap after one more observation; null: there is none. A demoted pair stays so until someone reviews it. */
export function stepGap(gap: PriceGap | null, excess: number | null, now: number): PriceGap | null {
  if (gap?.demotedAt != null) return excess === null || excess <= 0 ? gap : { ...gap, seenAt: now, excess }
  const isOld = gap !== null && now - gap.seenAt > restartAfterMs
  if (excess === null) return isOld ? null : gap
  if (excess <= 0) return null
  if (gap === null || isOld) return { since: now, seenAt: now, excess, demotedAt: null }
  return { ...gap, seenAt: now, excess, demotedAt: now - gap.since >= demotedAfterMs ? now : null }
}
