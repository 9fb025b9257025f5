// The trigger rules as the specification states them: computed slowly, order by order, in the prices of the order's own outcome. The engine
// is compared with this.

import type { Evidence } from '#orders/triggers/decision'
import type { TriggerRule } from '#schemas/conditional'

interface Quote {
  /** Micros. */
  price: number
  size: number
}

/** A read of a book. */
export interface Look {
  /** The book was not trustworthy at some moment since the previous read: a gap, silence, a change of its owner. */
  wasBroken: boolean
  /** It is still not trustworthy. */
  isStale: boolean
  seq: number
  /** The venue's time, epoch ms; null when it sends none. */
  eventTs: number | null
  /** When the book was read. */
  now: number
  bid: Quote | null
  ask: Quote | null
  lastTrade: { price: number; ts: number | null } | null
}

interface Order {
  rule: TriggerRule
  complement: boolean
  /** The samples counted so far. */
  counted: number[]
  /** Time of the previous sample, counted or not. */
  before: number | null
  isDecided: boolean
}

const freshTradeMs = 60_000
const whole = 1_000_000
/** Micros that differ by less are the same number as two doubles. */
const slack = 1e-6

export class ReferenceTriggers {
  private readonly orders = new Map<string, Order>()
  private seenSeq: number | null = null

  arm(id: string, rule: TriggerRule, complement: boolean): void {
    this.orders.set(id, { rule, complement, counted: [], before: null, isDecided: false })
  }

  disarm(id: string): void {
    this.orders.delete(id)
  }

  /** A sample is a new sequence of a trustworthy book. */
  look(look: Look): { decisions: Map<string, Evidence>; withdrawn: Set<string> } {
    const decisions = new Map<string, Evidence>()
    const withdrawn = new Set<string>()
    const isCrossed = look.bid !== null && look.ask !== null && look.bid.price >= look.ask.price
    const isSample = !look.isStale && !isCrossed && look.seq !== this.seenSeq
    if (!look.isStale && !isCrossed) this.seenSeq = look.seq
    for (const [id, order] of this.orders) {
      const time = Math.min(look.eventTs ?? look.now, look.now)
      const stepsBack = isSample && order.before !== null && time < order.before
      const startsOver = look.isStale || isCrossed || look.wasBroken || stepsBack
      const evidence = isSample ? sampleOf(order, look, time) : null
      if (startsOver || (isSample && evidence === null)) {
        order.counted = []
        if (order.isDecided) withdrawn.add(id)
        order.isDecided = false
      }
      if (!isSample) continue
      order.before = time
      if (evidence === null || order.isDecided) continue
      order.counted.push(time)
      const first = order.counted[0]!
      if (order.counted.length < order.rule.confirmations || time - first < order.rule.dwellMs) continue
      order.isDecided = true
      decisions.set(id, {
        ...evidence,
        samples: order.counted.length,
        firstSampleAt: new Date(first).toISOString(),
      })
    }
    return { decisions, withdrawn }
  }
}

/** The evidence of the sample, if it qualifies. */
function sampleOf({ rule, complement }: Order, look: Look, time: number): Evidence | null {
  const own = (quote: Quote | null): Quote | null => quote && { ...quote, price: whole - quote.price }
  const bid = complement ? own(look.ask) : look.bid
  const ask = complement ? own(look.bid) : look.ask
  const trade = look.lastTrade
  const isFresh = trade !== null && trade.ts !== null && Math.abs(time - trade.ts) <= freshTradeMs
  const prices: number[] = []
  const sizes: number[] = []
  if (rule.reference !== 'ask') {
    if (bid === null) return null
    prices.push(bid.price)
    sizes.push(bid.size)
  }
  if (rule.reference !== 'bid') {
    if (ask === null) return null
    prices.push(ask.price)
    sizes.push(ask.size)
  }
  if (rule.reference === 'mark' && isFresh) prices.push(complement ? whole - trade.price : trade.price)
  const price = median(prices)
  const size = Math.min(...sizes)
  const level = rule.price * whole
  const isReached = rule.when === 'at_or_above' ? price > level - slack : price < level + slack
  // No bid is below zero and no ask above the whole.
  const spread = (ask?.price ?? whole) - (bid?.price ?? 0)
  if (!isReached || spread > rule.maxSpread * whole + slack || size < rule.minSize) return null
  const at = new Date(time).toISOString()
  return {
    bookTime: at,
    reference: rule.reference,
    referencePrice: price / whole,
    samples: 0,
    firstSampleAt: at,
    lastSampleAt: at,
    spread: bid === null || ask === null ? null : spread / whole,
    size,
    sequence: look.seq,
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
