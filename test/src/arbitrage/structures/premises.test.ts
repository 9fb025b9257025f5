import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Group, groupOf } from '#arbitrage/structures/groups'
import { compileStructures, type Relation } from '#arbitrage/structures/index'
import { premises, rankOf } from '#arbitrage/structures/premises'
import { ignoreProgress } from '#arbitrage/structures/progress'
import { attemptsMax, type PayingOutcome, underpays } from '#arbitrage/structures/scenarios'
import { Random } from '../worlds.ts'
import { implies, market, same } from './parts.ts'
import { randomWorld } from './randomWorld.ts'

/** Removes one relation at a time, the weakest first. */
function oneByOne(group: Group, payers: readonly PayingOutcome[], least: number): Relation[] {
  const kept = new Set(group.relations.keys())
  for (const index of [...kept].sort((a, b) => rankOf(group.relations[b]!.band) - rankOf(group.relations[a]!.band))) {
    kept.delete(index)
    const clauses = [...kept].flatMap((each) => group.clauses[each]!)
    const tries = { left: attemptsMax, onProgress: ignoreProgress }
    if (underpays(group.markets.length, clauses, payers, least, tries) !== false) kept.add(index)
  }
  return group.relations.filter((_, index) => kept.has(index))
}

describe('the relations that a structure rests on', () => {
  it('are the ones left after removing each unnecessary relation', () => {
    let carried = 0
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed)
        const { markets, relations } = randomWorld(random)
        for (const group of compileStructures(markets, relations).shown.groups) {
          const payers = group.markets.map((_, index) => ({
            literal: 2 * index + (random.chance(0.5) ? 1 : 0),
            win: 1_000_000,
          }))
          const paid = group.worlds.map((world) =>
            payers.reduce((sum, { literal, win }) => sum + (world[literal >> 1] === ((literal & 1) ^ 1) ? win : 0), 0),
          )
          const least = Math.min(...paid)
          const found = premises(group, payers, least)
          expect(found).toEqual(oneByOne(group, payers, least))
          if (found.length > 0) carried++
        }
      }),
      { numRuns: 300 },
    )
    expect(carried).toBeGreaterThan(50)
  })

  it('need less work than one check per relation in a set of 64 markets with 2,016 relations', () => {
    const keys = Array.from({ length: 64 }, (_, i) => `k:${i}`)
    const relations = keys.flatMap((a, i) =>
      keys.slice(i + 1).map((b) => (i === 0 && b === 'k:1' ? implies(a, b) : same(a, b, 'minor'))),
    )
    const group = groupOf(
      keys.map((key) => market(key)),
      relations,
    ) as Group
    const payers = [
      { literal: 1, win: 1_000_000 },
      { literal: 2, win: 1_000_000 },
    ]
    let work = 0
    expect(premises(group, payers, 1_000_000, () => work++)).toEqual([relations[0]])
    expect(work).toBeGreaterThan(10)
    expect(work).toBeLessThan(1_500)
  })
})
