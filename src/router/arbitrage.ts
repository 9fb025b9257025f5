// From a row of the arbitrage surface, or a structure, to its orders: the legs at the size and the edge that live books offer now.

import { unitsPerContract } from '#arbitrage/structures/position'
import { Fault } from '#core/fault'
import { ONE } from '#core/price'
import type { Caller } from '#orders/executions/ports'
import type { JsonObject } from '#schemas/executions'
import type { StoredCluster } from '#schemas/matches'
import type { RouterArbitrageBody } from '#schemas/router'
import type { StructureRow } from '#schemas/structures'
import { type Constraints, offerOf } from './candidates.ts'
import { type EqualMarket, findCluster, isVerified } from './equalMarkets.ts'
import { type LiveOutcome, readOutcomes } from './outcomes.ts'
import { bestEqualLegs, type EqualLegs } from './plan/equalLegs.ts'
import { OfferCurve } from './plan/offerCurve.ts'
import { dollars, microsOf, type PlannedGroup, type PlannedLeg, quoteOf, unitsOf } from './planned.ts'
import { constraintsOf } from './planOrder.ts'
import { keyOf, nameOf, type RouterDeps } from './ports.ts'

/** Legs that pay together, whichever way their markets end. */
interface LegSet {
  answers: EqualMarket[]
  /** How many of them win at least. */
  winners: number
}

/** Pairs of a cluster whose sizes are computed: those with the best offers. */
const pairsMax = 6
const sizeMaxDefault = 100_000 * unitsPerContract

export async function planArbitrage(
  deps: RouterDeps,
  caller: Caller,
  clusterId: string,
  body: RouterArbitrageBody,
): Promise<PlannedGroup> {
  const { cluster, venues } = await findRow(deps, clusterId)
  const sets = pairsOf(cluster, venues)
  if (sets.length === 0) throw notNow('no two markets of it are verified to be equal: nothing is locked in')
  return planBest(deps, caller, { kind: 'arbitrage', id: { clusterId }, sets }, body)
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
  return planBest(deps, caller, { kind: 'structure', id: { structureId }, sets: [{ answers, winners }] }, body)
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
  throw new Fault('NOT_FOUND', 'no such structure now: it may be gone')
}

interface LegSource {
  kind: 'arbitrage' | 'structure'
  id: JsonObject
  sets: LegSet[]
}

async function planBest(
  deps: RouterDeps,
  caller: Caller,
  { kind, id, sets }: LegSource,
  body: RouterArbitrageBody,
): Promise<PlannedGroup> {
  const { accounts: _, ...options } = body
  const constraints = constraintsOf(deps, caller, body)
  const answers = [
    ...new Map(sets.flatMap((set) => set.answers).map((answer) => [nameOfAnswer(answer), answer])).values(),
  ]
  const read = await readOutcomes(deps, answers)
  const live = new Map(answers.map((answer, index) => [nameOfAnswer(answer), read[index]!]))
  const tried = sets
    .map((set) => legsOf(set, live, constraints, { body, now: deps.executions.clock.now() }))
    .sort((a, b) => b.topEdge - a.topEdge)
  let best: { legs: Tried & { curves: OfferCurve[] }; found: EqualLegs } | null = null
  for (const legs of tried.slice(0, pairsMax)) {
    if (legs.curves === null) continue
    const request = {
      winners: legs.winners,
      unitsMax: unitsOf(body.size ?? body.sizeMax ?? '100000'),
      isExact: body.size !== undefined,
    }
    const found = bestEqualLegs(legs.curves, { ...request, unitsMax: Math.min(request.unitsMax, sizeMaxDefault) })
    if (found !== null && (best === null || found.edge > best.found.edge))
      best = { legs: { ...legs, curves: legs.curves }, found }
  }
  if (best === null) throw notNow(`it cannot be bought now: ${reasonsOf(tried)}`)
  const { legs, found } = best
  if (found.edge < microsOf(body.minEdge)) throw notNow(`the edge is ${dollars(found.edge)} dollars now, below minEdge`)
  return {
    kind,
    closesId: null,
    plan: {
      request: { ...id, ...options } as JsonObject,
      quote: quoteOf({
        ...{
          isBuy: true,
          units: found.units,
          quotes: found.quotes,
          isFilled: true,
          isProven: body.size !== undefined,
          gap: 0,
        },
        payout: found.payout,
        edge: found.edge,
      }),
      alternatives: [],
      leftOut: tried.flatMap(({ refused }) => refused),
      winners: legs.winners,
    },
    legs: legs.live.map(
      (each, index): PlannedLeg => ({
        component: 0,
        outcome: each.outcome,
        isBuy: true,
        units: found.units,
        quote: found.quotes[index]!,
        bookAgeMs: legs.ages[index]!,
        closesPosition: null,
      }),
    ),
  }
}

/** It may be there again with other books. */
const notNow = (why: string): Fault => new Fault('ARBITRAGE_UNAVAILABLE', why)

const nameOfAnswer = (answer: EqualMarket): string => `${keyOf(answer)} ${answer.side}`

interface Tried {
  winners: number
  live: LiveOutcome[]
  ages: number[]
  /** Null: a leg cannot be bought. */
  curves: OfferCurve[] | null
  refused: { venue: string; marketId: string; structure: boolean; reason: string }[]
  /** Of the first contract, before fees. */
  topEdge: number
}

function legsOf(
  { answers, winners }: LegSet,
  found: ReadonlyMap<string, LiveOutcome | string>,
  constraints: Constraints,
  { body, now }: { body: RouterArbitrageBody; now: number },
): Tried {
  const tried: Tried = { winners, live: [], ages: [], curves: [], refused: [], topEdge: winners * ONE }
  const size = body.size ?? body.sizeMax
  for (const answer of answers) {
    const live = found.get(nameOfAnswer(answer))!
    const isShared =
      constraints.balances.has(answer.venue) && tried.live.some(({ outcome }) => outcome.venue === answer.venue)
    const reason =
      typeof live === 'string'
        ? live
        : isShared
          ? 'balance_used_by_another_market'
          : refusalOf(answer.venue, constraints, now - live.book.confirmedAt, body)
    if (reason !== null || typeof live === 'string') {
      tried.refused.push({
        venue: answer.venue,
        marketId: answer.marketId,
        structure: false,
        reason: reason ?? 'book_not_live',
      })
      continue
    }
    const limits = {
      unitsMax: size === undefined ? sizeMaxDefault : unitsOf(size),
      microsMax: Number.POSITIVE_INFINITY,
    }
    const curve = OfferCurve.of({ ...offerOf(live, true, constraints), ...limits })
    if (typeof curve === 'string') {
      tried.refused.push({ venue: answer.venue, marketId: answer.marketId, structure: false, reason: curve })
      continue
    }
    tried.live.push(live)
    tried.ages.push(Math.max(0, now - live.book.confirmedAt))
    tried.curves?.push(curve)
    tried.topEdge -= live.book.asks[0]?.micros ?? ONE
  }
  return tried.live.length === answers.length ? tried : { ...tried, curves: null, topEdge: Number.NEGATIVE_INFINITY }
}

function refusalOf(
  venue: string,
  { venues, excludeVenues, armed }: Constraints,
  ageMs: number,
  { bookAgeMaxMs }: RouterArbitrageBody,
): string | null {
  if (venues !== null && !venues.has(venue)) return 'venue_not_allowed'
  if (excludeVenues.has(venue)) return 'venue_excluded'
  if (armed !== null && !armed(venue)) return 'lane_not_armed'
  if (bookAgeMaxMs !== undefined && ageMs > bookAgeMaxMs) return 'book_too_old'
  return null
}

function reasonsOf(tried: readonly Tried[]): string {
  const words = new Set(tried.flatMap(({ refused }) => refused.map(({ venue, reason }) => `${venue} ${reason}`)))
  return words.size === 0 ? 'its legs have no common order size' : [...words].slice(0, 6).join(', ')
}
