// What a guarantee rests on: relations without which some world pays less. Legs not connected by any such relation are separate
// structures.
import { type MatchBand, matchBands } from '../cluster.ts'
import { marketOf, marketsOf } from './constraints.ts'
import type { Group } from './groups.ts'
import type { Relation } from './input.ts'
import { ignoreProgress, type OnProgress } from './progress.ts'
import { attemptsMax, type PayingOutcome, type Tries, underpays } from './scenarios.ts'

/** 0 is the most certain. */
export const rankOf = (band: MatchBand): number => matchBands.indexOf(band)

/**
 * Relations that carry the guarantee, none redundant; the weakest are dropped first, so that it rests on the most certain ones. Relations
 * are tried in halves: what holds without all of a range holds without each of them, and most groups have hundreds that carry nothing.
 * Once `triesMax` is used up, the rest is kept: a guarantee may then name a redundant relation, but never lacks one.
 */
export function premises(
  group: Group,
  payers: readonly PayingOutcome[],
  least: number,
  onProgress: OnProgress = ignoreProgress,
): Relation[] {
  const tries: Tries = { left: attemptsMax, onProgress }
  const order = [...group.relations.keys()].sort(
    (a, b) => rankOf(group.relations[b]!.band) - rankOf(group.relations[a]!.band),
  )
  const kept = new Set(order)
  const dropRange = (from: number, to: number): void => {
    if (from === to || tries.left <= 0) return
    const range = order.slice(from, to)
    for (const index of range) kept.delete(index)
    const clauses = [...kept].flatMap((each) => group.clauses[each]!)
    if (underpays(group.markets.length, clauses, payers, least, tries) === false) return
    for (const index of range) kept.add(index)
    if (range.length === 1) return
    const middle = (from + to) >> 1
    dropRange(from, middle)
    dropRange(middle, to)
  }
  dropRange(0, order.length)
  return group.relations.filter((_, index) => kept.has(index))
}

/** Indices of legs, grouped by what connects them. */
export function sharedPosition(group: Group, literals: readonly number[], relations: readonly Relation[]): number[][] {
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
