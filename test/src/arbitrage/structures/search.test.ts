import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Group } from '#arbitrage/structures/groups'
import { compileStructures, findStructures, type Relation, type Structure } from '#arbitrage/structures/index'
import { positionsOf } from '#arbitrage/structures/position'
import { bestFound } from '#arbitrage/structures/search'
import { Random } from '../worlds.ts'
import { type RandomWorld, randomWorld, sizes } from './randomWorld.ts'
import { holdsIn, slowBest, slowQuote, slowWorlds } from './slow.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const options = { leastEdge: 1, unitsMax: 100_000, rowsMax: 3 }
const micros = (dollars: number): number => Math.round(dollars * 1e6)

const shownBands = ['verified', 'minor', 'material']
const shownOf = ({ relations }: RandomWorld): Relation[] => relations.filter(({ band }) => shownBands.includes(band))

/** The best edge that brute force finds among a group's markets. */
function slowEdge(world: RandomWorld, group: Group, executable: boolean): number {
  const keys = new Set(group.markets.map(({ key }) => key))
  const within = (relation: Relation): boolean =>
    relation.kind === 'outcomes' ? relation.members.every(({ market }) => keys.has(market)) : keys.has(relation.a)
  const relations = shownOf(world).filter((each) => within(each) && (!executable || each.band === 'verified'))
  return slowBest(
    world.markets.filter(({ key }) => keys.has(key)),
    relations,
    world.offersOf,
    executable,
    sizes,
  )
}

/** The worst result of these legs over the worlds that the relations allow, by brute force. */
function slowLeft(world: RandomWorld, structure: Structure, relations: readonly Relation[]): number {
  const quotes = structure.legs.map(({ market, side, contracts }) => {
    const facts = world.markets.find(({ key }) => key === market)!
    return { market, side, ...slowQuote(facts, side, Math.round(contracts * 100), world.offersOf, false)! }
  })
  const cost = quotes.reduce((sum, each) => sum + each.cost, 0)
  const keys = world.markets.map(({ key }) => key)
  const left = slowWorlds(keys, relations).map((each) =>
    quotes.reduce((sum, quote) => sum + (holdsIn(each, quote) ? quote.win : 0), -cost),
  )
  return Math.min(...left)
}

describe('the search for structures', () => {
  it('finds the same as trying every set of positions at every size, including fees and minimum sizes', () => {
    let searched = 0
    let found = 0
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const world = randomWorld(new Random(seed))
        const compiled = compileStructures(world.markets, world.relations)
        for (const [{ groups }, executable] of [[compiled.sure, true] as const, [compiled.shown, false] as const])
          for (const group of groups) {
            const best = bestFound(group, positionsOf(group, world.offersOf, { executable }), options)
            expect(best.proven).toBe(true)
            expect(best.set?.edge ?? 0).toBe(slowEdge(world, group, executable))
            searched++
            if (best.set !== null) found++
          }
      }),
      { numRuns: long ? 10_000 : 500 },
    )
    expect(found / searched).toBeGreaterThan(0.2)
    expect(found / searched).toBeLessThan(0.9)
  }, 1_800_000)

  it('returns no structure that loses in a consistent world, and each of its premises is needed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const world = randomWorld(new Random(seed))
        const { structures } = findStructures(
          compileStructures(world.markets, world.relations),
          world.offersOf,
          options,
        )
        for (const structure of structures) {
          const named = world.relations.filter(({ id }) => structure.relations.some((each) => each.id === id))
          expect(slowLeft(world, structure, named)).toBe(micros(structure.edge))
          expect(structure.edge).toBeGreaterThan(0)
          for (const { id } of named)
            expect(
              slowLeft(
                world,
                structure,
                named.filter((each) => each.id !== id),
              ),
            ).toBeLessThan(micros(structure.edge))
          expect(micros(structure.worstPayout) - micros(structure.capital)).toBe(micros(structure.edge))
          expect(structure.executable).toBe(
            named.every(({ band }) => band === 'verified') &&
              structure.legs.every(({ market, side }) => world.offersOf(market, side)?.flags === 0),
          )
          expect(structure.reasons.length === 0).toBe(structure.executable)
        }
      }),
      { numRuns: long ? 10_000 : 250 },
    )
  }, 1_800_000)
})
