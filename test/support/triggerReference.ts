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
  /** Of a trailing stop, half micros of its own outcome. */
  best: number | null
}

const freshTradeMs = 60_000
const whole = 1_000_000
/** Micros that differ by less are the same number as two doubles. */
const slack = 1e-6

export interface Notices {
  decisions: Map<string, Evidence>
  withdrawn: Set<string>
  /** Best prices that improved, half micros. */
  bests: Map<string, number>
}
export const noNotices = (): Notices => ({ decisions: new Map(), withdrawn: new Set(), bests: new Map() })

export class ReferenceTriggers {
  private readonly orders = new Map<string, Order>()
  private seenSeq: number | null = null
  private seenTime: number | null = null

  /** The book's current state is from before any order waited. */
  follow(seq: number): void {
    this.seenSeq = seq
    this.seenTime = null
  }

  /** `best`: half micros. */
  arm(id: string, rule: TriggerRule, complement: boolean, best: number | null = null): void {
    this.orders.set(id, { rule, complement, counted: [], before: null, isDecided: false, best })
  }

  disarm(id: string): void {
    this.orders.delete(id)
  }

  /** A sample is a new sequence of a trustworthy book. */
  look(look: Look): Notices {
    const notices = noNotices()
    const { decisions, withdrawn } = notices
    const isCrossed = look.bid !== null && look.ask !== null && look.bid.price >= look.ask.price
    const isTrusted = !look.isStale && !isCrossed
    const isSample = isTrusted && look.seq !== this.seenSeq
    const time = Math.min(look.eventTs ?? look.now, look.now)
    const bookStepsBack = isSample && this.seenTime !== null && time < this.seenTime
    if (isTrusted) this.seenSeq = look.seq
    if (isSample) this.seenTime = time
    for (const [id, order] of this.orders) {
      const { rule } = order
      if (rule.at !== undefined) {
        const isStarting = !isTrusted || look.wasBroken || bookStepsBack
        const quote = isTrusted && look.now >= Date.parse(rule.at) ? quoteOf(order, look, time) : null
        const evidence = quote !== null && isWithin(rule, quote) ? { ...quote.evidence, samples: 1 } : null
        if (order.isDecided && (isStarting || (isSample && evidence === null))) {
          withdrawn.add(id)
          order.isDecided = false
        }
        if (evidence !== null && !order.isDecided) {
          order.isDecided = true
          decisions.set(id, { ...evidence, at: rule.at, readAt: new Date(look.now).toISOString() })
        }
        continue
      }
      const stepsBack = isSample && order.before !== null && time < order.before
      const startsOver = !isTrusted || look.wasBroken || stepsBack
      const evidence = isSample ? sampleOf(order, look, time) : null
      if (startsOver || (isSample && evidence === null)) {
        order.counted = []
        if (order.isDecided) withdrawn.add(id)
        order.isDecided = false
      }
      if (!isSample) continue
      if (improve(order, look, time)) notices.bests.set(id, order.best!)
      order.before = time
      if (evidence === null || order.isDecided) continue
      order.counted.push(time)
      const first = order.counted[0]!
      if (order.counted.length < rule.confirmations || time - first < rule.dwellMs) continue
      order.isDecided = true
      decisions.set(id, {
        ...evidence,
        samples: order.counted.length,
        firstSampleAt: new Date(first).toISOString(),
      })
    }
    return notices
  }
}

/** The values of a book that concern the order. */
interface OwnQuote {
  /** Micros; null: a quote that the reference needs is missing. */
  price: number | null
  spread: number
  size: number
  evidence: Evidence
}

const isWithin = (rule: TriggerRule, { spread, size }: OwnQuote): boolean =>
  spread <= rule.maxSpread * whole + slack && size >= rule.minSize

/** The evidence of the sample, if it qualifies. */
function sampleOf(order: Order, look: Look, time: number): Evidence | null {
  const { rule } = order
  const quote = quoteOf(order, look, time)
  const level = levelOf(order)
  if (quote.price === null || level === null || !isWithin(rule, quote)) return null
  const isReached = rule.when === 'at_or_above' ? quote.price > level - slack : quote.price < level + slack
  if (!isReached) return null
  if (rule.trail === undefined) return quote.evidence
  const best = order.best! / 2
  return {
    ...quote.evidence,
    bestPrice: best / whole,
    level: level / whole,
    distance: (2 * Math.abs(level - best)) / (2 * whole),
  }
}

/** Micros. That of a trailing stop is at a half micro, and at least one from the best price. */
function levelOf({ rule, best }: Order): number | null {
  if (rule.trail === undefined) return rule.price! * whole
  if (best === null) return null
  const { by, distance } = rule.trail
  const exact = 10_000_000_000n
  const gap =
    by === 'price'
      ? BigInt(Math.round(distance * 1e10)) * 2_000_000n
      : (BigInt(best) * BigInt(Math.round(distance * 1e4)) * exact) / 1_000_000n
  const halves = Math.max(1, Number((gap + exact - 1n) / exact))
  return (rule.when === 'at_or_below' ? best - halves : best + halves) / 2
}

function improve(order: Order, look: Look, time: number): boolean {
  const { rule, best } = order
  const quote = quoteOf(order, look, time)
  if (rule.trail === undefined || quote.price === null || !isWithin(rule, quote)) return false
  const now = 2 * quote.price
  if (best !== null && (rule.when === 'at_or_below' ? now <= best : now >= best)) return false
  order.best = now
  return true
}

function quoteOf({ rule, complement }: Order, look: Look, time: number): OwnQuote {
  const own = (quote: Quote | null): Quote | null => quote && { ...quote, price: whole - quote.price }
  const bid = complement ? own(look.ask) : look.bid
  const ask = complement ? own(look.bid) : look.ask
  const trade = look.lastTrade
  const isFresh = trade !== null && trade.ts !== null && Math.abs(time - trade.ts) <= freshTradeMs
  const needed = [rule.reference !== 'ask' ? [bid] : [], rule.reference !== 'bid' ? [ask] : []].flat()
  const shown = needed.filter((quote) => quote !== null)
  const prices = shown.map(({ price }) => price)
  if (rule.reference === 'mark' && isFresh) prices.push(complement ? whole - trade.price : trade.price)
  const price = shown.length < needed.length ? null : median(prices)
  const size = shown.length < needed.length ? 0 : Math.min(...shown.map((quote) => quote.size))
  // No bid is below zero and no ask above the whole.
  const spread = (ask?.price ?? whole) - (bid?.price ?? 0)
  const at = new Date(time).toISOString()
  const evidence: Evidence = {
    bookTime: at,
    reference: rule.reference,
    referencePrice: price === null ? null : price / whole,
    samples: 0,
    firstSampleAt: at,
    lastSampleAt: at,
    spread: bid === null || ask === null ? null : spread / whole,
    size,
    sequence: look.seq,
  }
  return { price, spread, size, evidence }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
