// From a row of the arbitrage surface, or a structure, to its orders: the legs at the size and the edge that live books offer now.
import { marketsMax as structureMarketsMax } from '#arbitrage/structures/groups'
import { unitsPerContract } from '#arbitrage/structures/position'
import { Fault } from '#core/fault'
import { ONE } from '#core/price'
import type { Caller } from '#orders/executions/ports'
import type { JsonObject } from '#schemas/executions'
import type { StoredCluster } from '#schemas/matches'
import { contractsMax, type RouterArbitrageBody } from '#schemas/router'
import type { StructureRow } from '#schemas/structures'
import { type Constraints, type LeftOutMarket, notAllowed, offerOf, type Reason } from './candidates.ts'
import { type EqualMarket, findCluster, isVerified } from './equalMarkets.ts'
import { type LiveOutcome, readOutcomes } from './outcomes.ts'
import { bestEqualLegs, type EqualLegs } from './plan/equalLegs.ts'
import { OfferCurve } from './plan/offerCurve.ts'
import { candidatesMax } from './plan/route.ts'
import { dollars, microsOf, type PlannedGroup, type PlannedLeg, quoteOf, unitsOf } from './planned.ts'
import { constraintsOf } from './planOrder.ts'
import { keyOf, type MarketName, nameOf, type RouterDeps } from './ports.ts'

/** Legs that pay together, whichever way their markets end. */
interface LegSet {
  answers: EqualMarket[]
  /** How many of them win at least. */
  winners: number
}

/** Pairs of a cluster whose sizes are computed: those with the best offers. */
const pairsMax = 6
/** Markets of a cluster whose books are read for one request. */
const clusterMarketsMax = candidatesMax

export async function planArbitrage(
  deps: RouterDeps,
  caller: Caller,
  clusterId: string,
  body: RouterArbitrageBody,
): Promise<PlannedGroup> {
  const { cluster, venues } = await findRow(deps, clusterId)
  const sets = pairsOf(cluster, venues)
  if (sets.length === 0) throw notNow('no two markets of it are verified to be equal: nothing is locked in')
  return planBest(deps, caller, { kind: 'arbitrage', id: { clusterId }, sets, marketsMax: clusterMarketsMax }, body)
}

export async function planStructure(
  deps: RouterDeps,
  caller: Caller,
  structureId: string,
  body: RouterArbitrageBody,
): Promise<PlannedGroup> {
  const row = findStructure(deps, structureId)
  if (row.relations.some(({ band }) => band !== 'verified'))
    throw notNow('a relation that the structure rests on is not verified: it may lose')
  const answers = row.legs.map(({ market, side }) => ({ ...nameOf(market), side }))
  // Settlement fees lower the payout of a winner, never below the next whole number.
  const winners = Math.ceil(row.worstPayout / row.contracts - 1e-9)
  const sets = [{ answers, winners }]
  return planBest(deps, caller, { kind: 'structure', id: { structureId }, sets, marketsMax: structureMarketsMax }, body)
}

/** A cluster, or one ordered pair of its venues: `<clusterId>:<venueA>:<venueB>`. */
async function findRow(
  deps: RouterDeps,
  id: string,
): Promise<{ cluster: StoredCluster; venues: readonly [string, string] | null }> {
  const whole = await deps.clusters.findCluster(id)
  if (whole !== null) return { cluster: whole, venues: null }
  const parts = id.split(':')
  const [a, b] = parts.slice(-2)
  const base = parts.slice(0, -2).join(':')
  if (base === '' || a === undefined || b === undefined) return { cluster: await findCluster(deps, id), venues: null }
  return { cluster: await findCluster(deps, base), venues: [a, b] }
}

function pairsOf({ members, pairs }: StoredCluster, venues: readonly [string, string] | null): LegSet[] {
  const polarityOf = new Map(members.map((member) => [keyOf(member), member.polarity]))
  return pairs.filter(isVerified).flatMap(({ a, b }) =>
    [
      [a, b],
      [b, a],
    ].flatMap(([yes, no]): LegSet[] => {
      if (venues !== null && (yes!.venue !== venues[0] || no!.venue !== venues[1])) return []
      const [yesPolarity, noPolarity] = [polarityOf.get(keyOf(yes!)), polarityOf.get(keyOf(no!))]
      if (yesPolarity === undefined || noPolarity === undefined) return []
      // The question's YES at one venue, its NO at the other.
      const yesSide = yesPolarity === 'same' ? 'yes' : 'no'
      const noSide = noPolarity === 'same' ? 'no' : 'yes'
      return [
        {
          answers: [
            { ...yes!, side: yesSide },
            { ...no!, side: noSide },
          ],
          winners: 1,
        },
      ]
    }),
  )
}

function findStructure({ structures }: RouterDeps, id: string): StructureRow {
  if (structures === null) throw new Fault('ARBITRAGE_UNAVAILABLE', 'structures are not computed here')
  const state = structures.state()
  if (state === null)
    throw new Fault('ARBITRAGE_UNAVAILABLE', 'structures are not computed right now: try again shortly', {
      retryAfterSeconds: 2,
    })
  for (const row of state.rows) if (row.id === id) return row
  throw new Fault('NOT_FOUND', 'no such structure now')
}

interface LegSource {
  kind: 'arbitrage' | 'structure'
  id: JsonObject
  sets: LegSet[]
  /** More markets are left out. */
  marketsMax: number
}

async function planBest(
  deps: RouterDeps,
  caller: Caller,
  { kind, id, sets, marketsMax }: LegSource,
  body: RouterArbitrageBody,
): Promise<PlannedGroup> {
  const { accounts: _, ...options } = body
  const constraints = constraintsOf(deps, caller, body)
  const isExact = body.size !== undefined
  const size = body.size ?? body.sizeMax
  const unitsMax = size === undefined ? contractsMax * unitsPerContract : unitsOf(size)
  const bounds = { unitsMax, ageMaxMs: body.bookAgeMaxMs ?? null, marketsMax }
  const priced = await priceAnswers(deps, sets, constraints, bounds)
  const { buyable, leftOut } = buyableSets(sets, priced, constraints)
  let best: { set: BuyableSet; found: EqualLegs } | null = null
  for (const set of buyable.slice(0, pairsMax)) {
    const curves = set.legs.map(({ curve }) => curve)
    const found = bestEqualLegs(curves, { winners: set.winners, unitsMax, isExact })
    if (found !== null && (best === null || found.edge > best.found.edge)) best = { set, found }
  }
  if (best === null) throw notNow(`it cannot be bought now: ${reasonsOf(leftOut)}`)
  const { set, found } = best
  const { units, quotes, payout, edge } = found
  if (edge < microsOf(body.minEdge)) throw notNow(`the edge is ${dollars(edge)} dollars now, below minEdge`)
  return {
    kind,
    closesId: null,
    plan: {
      request: { ...id, ...options } as JsonObject,
      quote: quoteOf({ isBuy: true, units, quotes, isFilled: true, isProven: isExact, gap: 0, payout, edge }),
      alternatives: [],
      leftOut,
      winners: set.winners,
    },
    legs: set.legs.map(
      ({ live: { outcome }, ageMs: bookAgeMs }, index): PlannedLeg => ({
        component: 0,
        outcome,
        isBuy: true,
        units,
        quote: quotes[index]!,
        bookAgeMs,
        closesPosition: null,
      }),
    ),
  }
}

/** It may be there again with other books. */
const notNow = (why: string): Fault => new Fault('ARBITRAGE_UNAVAILABLE', why)

const nameOfAnswer = (answer: EqualMarket): string => `${keyOf(answer)} ${answer.side}`

interface PricedLeg {
  live: LiveOutcome
  ageMs: number
  curve: OfferCurve
}

/** By `nameOfAnswer`: what each answer costs, or why it cannot be bought. An answer that several sets have is read once. */
async function priceAnswers(
  deps: RouterDeps,
  sets: readonly LegSet[],
  constraints: Constraints,
  { unitsMax, ageMaxMs, marketsMax }: { unitsMax: number; ageMaxMs: number | null; marketsMax: number },
): Promise<ReadonlyMap<string, PricedLeg | Reason>> {
  const priced = new Map<string, PricedLeg | Reason>()
  const allowed = new Map<string, EqualMarket>()
  const markets = new Set<string>()
  const isBeyond = (market: string): boolean => !markets.has(market) && markets.size >= marketsMax
  for (const answer of sets.flatMap(({ answers }) => answers)) {
    const market = keyOf(answer)
    const reason = notAllowed(answer.venue, constraints) ?? (isBeyond(market) ? 'too_many_markets' : null)
    if (reason === null) markets.add(market)
    if (reason === null) allowed.set(nameOfAnswer(answer), answer)
    else priced.set(nameOfAnswer(answer), reason)
  }
  const read = await readOutcomes(deps, [...allowed.values()])
  const now = deps.executions.clock.now()
  const priceOf = (live: LiveOutcome): PricedLeg | Reason => {
    const ageMs = Math.max(0, now - live.book.confirmedAt)
    if (ageMaxMs !== null && ageMs > ageMaxMs) return 'book_too_old'
    const curve = OfferCurve.of({
      ...offerOf(live, true, constraints),
      unitsMax,
      microsMax: Number.POSITIVE_INFINITY,
    })
    return typeof curve === 'string' ? curve : { live, ageMs, curve }
  }
  for (const [index, name] of [...allowed.keys()].entries()) {
    const live = read[index]!
    priced.set(name, typeof live === 'string' ? live : priceOf(live))
  }
  return priced
}

/** A set whose legs can all be bought. */
interface BuyableSet {
  winners: number
  legs: PricedLeg[]
  /** Of the first contract, before fees. */
  topEdge: number
}

/** Those with the best offers first, and each market with each reason once. */
function buyableSets(
  sets: readonly LegSet[],
  priced: ReadonlyMap<string, PricedLeg | Reason>,
  { balances }: Constraints,
): { buyable: BuyableSet[]; leftOut: LeftOutMarket[] } {
  const leftOut = new Map<string, LeftOutMarket>()
  const refuse = ({ venue, marketId }: MarketName, reason: Reason): void =>
    void leftOut.set(`${venue}:${marketId} ${reason}`, { venue, marketId, structure: false, reason })
  const buyable = sets.flatMap(({ answers, winners }): BuyableSet[] => {
    const legs: PricedLeg[] = []
    for (const answer of answers) {
      const leg = priced.get(nameOfAnswer(answer))!
      const isShared = legs.some(({ live }) => live.outcome.venue === answer.venue) && balances.has(answer.venue)
      if (typeof leg === 'string') refuse(answer, leg)
      else if (isShared) refuse(answer, 'balance_used_by_another_market')
      else legs.push(leg)
    }
    if (legs.length < answers.length) return []
    const topEdge = legs.reduce((edge, { live }) => edge - live.book.asks[0]!.micros, winners * ONE)
    return [{ winners, legs, topEdge }]
  })
  return { buyable: buyable.sort((a, b) => b.topEdge - a.topEdge), leftOut: [...leftOut.values()] }
}

function reasonsOf(leftOut: readonly LeftOutMarket[]): string {
  const reasons = new Set(leftOut.map(({ venue, reason }) => `${venue} ${reason}`))
  return reasons.size === 0 ? 'its legs have no common order size' : [...reasons].slice(0, 6).join(', ')
}
