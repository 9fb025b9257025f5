// What a guarantee rests on: relations without which some world pays less. Legs not connected by any such relation are separate
// structures.
import { type MatchBand, matchBands } from '../cluster.ts'
import { marketOf, marketsOf } from './clauses.ts'
import type { Group } from './groups.ts'
import type { Relation } from './input.ts'
import { type Payer, paysLess } from './worlds.ts'

/** 0 is the most certain. */
export const rankOf = (band: MatchBand): number => matchBands.indexOf(band)

/**
 * Relations that carry the guarantee, none redundant; the weakest are dropped first, so that it rests on the most certain ones.
 */
export function restsOn(group: Group, payers: readonly Payer[], least: number): Relation[] {
  const order = [...group.relations.keys()].sort(
    (a, b) => rankOf(group.relations[b]!.band) - rankOf(group.relations[a]!.band),
  )
  const kept = new Set(order)
  for (const index of order) {
    kept.delete(index)
    const clauses = [...kept].flatMap((each) => group.clauses[each]!)
    if (paysLess(group.markets.length, clauses, payers, least) !== false) kept.add(index)
  }
  return group.relations.filter((_, index) => kept.has(index))
}

/** Indices of legs, grouped by what connects them. */
export function tied(group: Group, literals: readonly number[], relations: readonly Relation[]): number[][] {
  const part = group.markets.map((_, index) => index)
  for (const relation of relations) {
    const [first, ...rest] = marketsOf(relation).map((key) => part[group.indexOf.get(key)!]!)
    for (const other of rest) for (let at = 0; at < part.length; at++) if (part[at] === other) part[at] = first!
  }
  const parts = new Map<number, number[]>()
  literals.forEach((literal, leg) => {
    const at = part[marketOf(literal)]!
    const legs = parts.get(at)
    if (legs === undefined) parts.set(at, [leg])
    else legs.push(leg)
  })
  return [...parts.values()]
}
