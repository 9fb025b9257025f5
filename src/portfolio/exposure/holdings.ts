// An account's positions as payoffs: each pays its shares if one answer is true. What the answers of one market have to do with each other
// is stated as relations; what is not certain about a payout is named.
import type { Answer, Relation } from '#arbitrage/structures/index'
import { compareDecimals } from '#core/decimal'
import type { NotCovered } from '#schemas/exposure'
import { marketKey } from '../journal/settlements.ts'
import type { MarkedPosition } from '../ports.ts'
import { moneyOf } from './money.ts'
import type { MarketFacts } from './ports.ts'

export interface Holding {
  /** `<venue>:<marketId>` */
  market: string
  position: MarkedPosition
  /** Below zero: short. */
  shares: string
  /** Pays one unit per share if true. */
  answer: Answer
  /** Known payout per share, once the market is resolved; it no longer depends on the answer. */
  value: string | null
  /** Amounts are added up only within the same. */
  money: string
  eventId: string | null
}

export interface Holdings {
  holdings: Holding[]
  /** Between the answers of one market with several outcomes. */
  own: Relation[]
  /** Answers that are known because their market is resolved, by what they are about. */
  known: ReadonlyMap<string, boolean>
  /** Markets of which no relation can be used: they need not pay one unit to one answer. */
  unrelated: ReadonlySet<string>
  /** By market. */
  notCovered: ReadonlyMap<string, ReadonlySet<NotCovered>>
}

/** With these, each share pays anything from zero to one unit, whatever the others pay: results are bounds. */
const unboundedPayouts: ReadonlySet<NotCovered> = new Set([
  'not_in_catalog',
  'outcome_unknown',
  'scalar',
  'payout_unknown',
])

export const isUncertain = (reasons: Iterable<NotCovered>): boolean =>
  [...reasons].some((reason) => unboundedPayouts.has(reason))

/** Shares that are still worth something: open, or of a resolved market and not paid yet. */
export const sharesOf = ({ quantity, settlement }: MarkedPosition): string => settlement?.unclaimed ?? quantity

export const isHeld = (position: MarkedPosition): boolean => compareDecimals(sharesOf(position), '0') !== 0

export function holdingsOf(positions: readonly MarkedPosition[], facts: ReadonlyMap<string, MarketFacts>): Holdings {
  const byMarket = Map.groupBy(positions.filter(isHeld), ({ venue, marketId }) => marketKey(venue, marketId))
  const found = {
    holdings: [] as Holding[],
    own: [] as Relation[],
    known: new Map<string, boolean>(),
    unrelated: new Set<string>(),
    notCovered: new Map<string, ReadonlySet<NotCovered>>(),
  }
  for (const [market, held] of byMarket) {
    const known = facts.get(market) ?? null
    const reasons = reasonsOf(held, known)
    found.notCovered.set(market, reasons)
    const isWhole = known !== null && !isUncertain(reasons)
    const sides = isWhole ? known.sides : null
    const money = moneyOf(held)
    for (const position of held)
      found.holdings.push({
        market,
        position,
        shares: sharesOf(position),
        answer: answerOf(market, position.outcomeId, sides),
        value: position.settlement?.value ?? null,
        money,
        eventId: known?.eventId ?? null,
      })
    const result = sides === null ? null : resultOf(held, sides)
    if (result !== null) found.known.set(market, result)
    else if (sides === null || held.some(({ settlement }) => settlement !== null)) found.unrelated.add(market)
    if (isWhole && sides === null) found.own.push(...outcomesOf(market, held, known))
  }
  return found
}

/** YES and NO of one market are one question; every other outcome is a question of its own. */
const answerOf = (market: string, outcomeId: string, sides: MarketFacts['sides']): Answer =>
  sides === null
    ? { market: `${market}\n${outcomeId}`, side: 'yes' }
    : { market, side: outcomeId === sides.yes ? 'yes' : 'no' }

/** At most one outcome of a market pays; if all are held, exactly one. Payouts of a resolved market are known. */
function outcomesOf(market: string, held: readonly MarkedPosition[], { outcomes }: MarketFacts): Relation[] {
  if (held.length < 2 || held.some(({ settlement }) => settlement !== null)) return []
  const members = held.map(({ outcomeId }) => answerOf(market, outcomeId, null))
  const isComplete = outcomes.every((outcome) => held.some(({ outcomeId }) => outcomeId === outcome))
  return [{ id: `outcomes:${market}`, band: 'verified', kind: 'outcomes', members, complete: isComplete }]
}

/** True for YES; null unless the market paid one unit to one of the two. */
function resultOf(held: readonly MarkedPosition[], { yes }: NonNullable<MarketFacts['sides']>): boolean | null {
  const results = held.map(({ outcomeId, settlement }) => {
    if (settlement === null) return null
    const pays = compareDecimals(settlement.value, '1') === 0
    if (!pays && compareDecimals(settlement.value, '0') !== 0) return null
    return pays === (outcomeId === yes)
  })
  const [first] = results
  return first !== undefined && results.every((result) => result === first) ? first : null
}

function reasonsOf(held: readonly MarkedPosition[], facts: MarketFacts | null): Set<NotCovered> {
  const reasons = new Set<NotCovered>()
  const open = held.filter(({ settlement }) => settlement === null)
  if (held.some(({ currency }) => currency === null)) reasons.add('currency_unknown')
  if (open.length === 0) return reasons
  if (facts === null) reasons.add('not_in_catalog')
  else if (open.some(({ outcomeId }) => !facts.outcomes.includes(outcomeId))) reasons.add('outcome_unknown')
  else if (!facts.paysWhole) reasons.add('scalar')
  if (open.length < held.length || open.some(({ marketStatus }) => marketStatus === 'resolved'))
    reasons.add('payout_unknown')
  if (!isUncertain(reasons)) reasons.add('void_or_split')
  if (facts?.settlesFree !== true) reasons.add('settlement_fee')
  return reasons
}
