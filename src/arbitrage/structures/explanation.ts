// Why some legs are, or are not, a structure: what the worst world pays for them, which world that is, and what they cost.
import { executabilityReasons } from '../flags.ts'
import { marketOf, marketsOf, sideOf } from './constraints.ts'
import { groupOf } from './groups.ts'
import type { Answer, OffersOf, Relation, StructureMarket } from './input.ts'
import { flagsOf, positionsOf, quote, unitMicros } from './position.ts'
import type { Refusal } from './scenarios.ts'

export type Verdict =
  | 'structure'
  /** Some leg has no offers, an unknown fee, or insufficient size. */
  | 'not_priced'
  /** In some world no leg pays. */
  | 'a_world_pays_nothing'
  | 'costs_more_than_it_pays'
  /** They would be profitable without fees and settlement costs. */
  | 'fees_exceed_the_edge'
  | Refusal

export interface Explanation {
  verdict: Verdict
  /** `<market>:<side>:<word>` of each leg that cannot be bought now. */
  reasons: string[]
  /** Micro-dollars; null if unknown. */
  worstPayout: number | null
  capital: number | null
  /** How the markets of the legs end in the world where these pay least. */
  worstWorld: Answer[] | null
}

/** These legs, each of this size in hundredths of a contract, by all that is known of their markets. */
export function explainLegs(
  markets: readonly StructureMarket[],
  relations: readonly Relation[],
  legs: readonly Answer[],
  units: number,
  offersOf: OffersOf,
): Explanation {
  const known = new Set(markets.map(({ key }) => key))
  const group = groupOf(
    markets,
    relations.filter((relation) => marketsOf(relation).every((key) => known.has(key))),
  )
  const factsOf = new Map(markets.map((market) => [market.key, market]))
  const reasons = legs.flatMap(({ market, side }) =>
    executabilityReasons(flagsOf(factsOf.get(market)!, offersOf(market, side))).map(
      (word) => `${market}:${side}:${word}`,
    ),
  )
  const nothing = { reasons, worstPayout: null, capital: null, worstWorld: null }
  if (typeof group === 'string') return { verdict: group, ...nothing }
  const { worlds, indexOf } = group
  const positions = positionsOf(group, offersOf, { executable: false })
  const quotes = legs.map(({ market, side }) => {
    const position = positions.find((each) => each.market.key === market && each.side === side)
    const price = position === undefined ? null : quote(position, units)
    return position === undefined || price === null ? null : { ...price, literal: position.literal }
  })
  const priced = quotes.filter((each) => each !== null)
  if (priced.length < legs.length) return { verdict: 'not_priced', ...nothing }
  const isTrue = (world: Uint8Array, literal: number): boolean =>
    (world[marketOf(literal)] === 1) === (sideOf(literal) === 'yes')
  const pays = (world: Uint8Array, win: (each: (typeof priced)[number]) => number): number =>
    priced.reduce((sum, each) => sum + (isTrue(world, each.literal) ? win(each) : 0), 0)
  const worst = worlds.reduce((least, world) =>
    pays(world, ({ win }) => win) < pays(least, ({ win }) => win) ? world : least,
  )
  const worstPayout = pays(worst, ({ win }) => win)
  const capital = priced.reduce((sum, { cost, fee }) => sum + cost + fee, 0)
  const gross = Math.min(...worlds.map((world) => pays(world, () => units * unitMicros)))
  const verdict = (): Verdict => {
    if (worstPayout > capital) return 'structure'
    if (worstPayout === 0) return 'a_world_pays_nothing'
    const paid = priced.reduce((sum, { cost }) => sum + cost, 0)
    return gross > paid ? 'fees_exceed_the_edge' : 'costs_more_than_it_pays'
  }
  return {
    verdict: verdict(),
    reasons,
    worstPayout,
    capital,
    worstWorld: legs.map(({ market }) => ({ market, side: worst[indexOf.get(market)!] === 1 ? 'yes' : 'no' })),
  }
}
