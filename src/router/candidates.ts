// Every way to trade an answer now, as candidates of a plan, with the reason for each that is left out.
import { unitsPerContract } from '#arbitrage/structures/position'
import { toStep, toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import { canonicalVenue } from '#schemas/venues'
import { type CompleteSet, completeSetsFor } from './completeSets.ts'
import type { EqualMarket, EqualMarkets } from './equalMarkets.ts'
import { type LiveOutcome, type OutcomeRefusal, readOutcomes, type TradedOutcome } from './outcomes.ts'
import { type Candidate, candidatesMax, type LeftOut } from './plan/route.ts'
import { keyOf, type MarketName, type RouterDeps } from './ports.ts'

/** What a request allows. */
export interface Constraints {
  /** Null: all. */
  venues: ReadonlySet<string> | null
  excludeVenues: ReadonlySet<string>
  /** By venue, decimal strings. */
  balances: ReadonlyMap<string, string>
  worstMicros: number | null
  /** Null: every venue, whether or not orders can be built there. */
  armed: ((venue: string) => boolean) | null
}

export type Reason =
  | OutcomeRefusal
  | LeftOut
  | 'not_verified'
  | 'venue_not_allowed'
  | 'venue_excluded'
  | 'lane_not_armed'
  | 'balance_used_by_another_market'
  | 'too_many_markets'
  | 'structure_has_no_worst_price'

export interface LeftOutMarket extends MarketName {
  structure: boolean
  reason: Reason
}

/** A candidate with what its parts are placed on. */
export interface Way extends MarketName {
  structure: boolean
  candidate: Candidate
  outcomes: TradedOutcome[]
  ages: number[]
}

export interface Ways {
  ways: Way[]
  leftOut: LeftOutMarket[]
}

type Deps = Pick<RouterDeps, 'findMarkets' | 'findRelations' | 'venueOf' | 'books' | 'executions'>

export async function findWays(
  deps: Deps,
  { equal, unverified }: EqualMarkets,
  request: { isBuy: boolean; structures: boolean; constraints: Constraints },
): Promise<Ways> {
  const { isBuy, constraints } = request
  const leftOut: LeftOutMarket[] = unverified.map((market) => ({ ...market, structure: false, reason: 'not_verified' }))
  const refuse = ({ venue, marketId }: MarketName, reason: Reason, structure = false): void =>
    void leftOut.push({ venue, marketId, structure, reason })
  const allowed: EqualMarket[] = []
  for (const market of equal) {
    const reason =
      notAllowed(market.venue, constraints) ?? (allowed.length >= candidatesMax ? 'too_many_markets' : null)
    if (reason === null) allowed.push(market)
    else refuse(market, reason)
  }
  const sets = request.structures && isBuy ? await findSets(deps, allowed, constraints) : []
  const answers = [...allowed, ...sets.flatMap(({ parts }) => parts)]
  const read = await readOutcomes(deps, answers)
  const found = new Map(answers.map((answer, index) => [keyOf(answer), read[index]!]))
  const limited = new Set<string>()
  const now = deps.executions.clock.now()
  const ways: Way[] = []
  for (const market of allowed) {
    const live = found.get(keyOf(market))!
    if (typeof live === 'string') refuse(market, live)
    else if (constraints.balances.has(market.venue) && limited.has(market.venue))
      refuse(market, 'balance_used_by_another_market')
    else {
      limited.add(market.venue)
      ways.push(wayOf(market, [live], { isBuy, constraints, now, structure: false }))
    }
  }
  for (const { instead, parts } of sets) {
    const lives = parts.map((part) => found.get(keyOf(part))!)
    const refused = lives.find((live) => typeof live === 'string')
    if (constraints.worstMicros !== null) refuse(instead, 'structure_has_no_worst_price', true)
    else if (refused !== undefined) refuse(instead, refused, true)
    else if (parts.some(({ venue }) => constraints.balances.has(venue)))
      refuse(instead, 'balance_used_by_another_market', true)
    else ways.push(wayOf(instead, lives as LiveOutcome[], { isBuy, constraints, now, structure: true }))
  }
  for (const { structure, ...market } of ways.splice(candidatesMax)) refuse(market, 'too_many_markets', structure)
  return { ways, leftOut }
}

async function findSets(deps: Deps, allowed: readonly EqualMarket[], constraints: Constraints): Promise<CompleteSet[]> {
  if (allowed.length === 0) return []
  const { relations } = await deps.findRelations(allowed)
  return completeSetsFor(allowed, relations).filter(({ parts }) =>
    parts.every(({ venue }) => notAllowed(venue, constraints) === null),
  )
}

export function notAllowed(venue: string, { venues, excludeVenues, armed }: Constraints): Reason | null {
  if (venues !== null && !venues.has(venue)) return 'venue_not_allowed'
  if (excludeVenues.has(venue)) return 'venue_excluded'
  if (armed !== null && !armed(venue)) return 'lane_not_armed'
  return null
}

function wayOf(
  { venue, marketId }: MarketName,
  lives: readonly LiveOutcome[],
  { isBuy, constraints, now, structure }: { isBuy: boolean; constraints: Constraints; now: number; structure: boolean },
): Way {
  const ages = lives.map(({ book }) => Math.max(0, now - book.confirmedAt))
  return {
    venue,
    marketId,
    structure,
    outcomes: lives.map(({ outcome }) => outcome),
    ages,
    candidate: {
      id: `${structure ? 'structure' : 'market'} ${venue}:${marketId}`,
      parts: lives.map((live) => offerOf(live, isBuy, constraints)),
      ageMs: Math.max(...ages),
    },
  }
}

export function offerOf(
  { market, book }: LiveOutcome,
  isBuy: boolean,
  { balances, worstMicros }: Pick<Constraints, 'balances' | 'worstMicros'>,
): Candidate['parts'][number] {
  const { key: _, venue, ...rule } = market
  const balance = balances.get(venue)
  return {
    ...rule,
    isBuy,
    levels: isBuy ? book.asks : book.bids,
    worstMicros,
    available: balance === undefined ? null : availableOf(balance, isBuy),
  }
}

/** Micros of dollars, or units of contracts: never more than there is. */
const availableOf = (balance: string, isBuy: boolean): number =>
  isBuy
    ? Number(toUnits(toStep(balance, '0.000001', 'down'), 6))
    : Number(toUnits(toStep(balance, String(1 / unitsPerContract), 'down'), 2))

/** Venues by their own names. */
export function venueSet(names: readonly string[] | undefined): ReadonlySet<string> | null {
  return names === undefined ? null : new Set(names.map((name) => canonicalVenue(name)))
}

const plainDecimal = /^\d{1,12}(\.\d{1,18})?$/

export function balancesOf(given: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(given ?? {}).map(([venue, amount]) => {
      if (!plainDecimal.test(amount))
        throw new Fault('VALIDATION_ERROR', `balances.${venue.slice(0, 40)}: must be a plain decimal number`)
      return [canonicalVenue(venue), amount]
    }),
  )
}
