// Markets connected by relations, and the worlds these allow: computed once, when relations change, and read at every book.
import { compileFee, type FeeProgram } from '../fees.ts'
import { type Clause, clausesOf, marketOf, marketsOf } from './constraints.ts'
import type { Relation, StructureMarket } from './input.ts'
import type { OnProgress } from './progress.ts'
import { type Refusal, scenariosOf } from './scenarios.ts'

/** A larger group is refused. */
export const marketsMax = 160

export interface Group {
  markets: readonly StructureMarket[]
  /** Per market. */
  fees: readonly FeeProgram[]
  indexOf: ReadonlyMap<string, number>
  /** Per literal: those that are true in the same worlds are one answer, whichever venue sells it. */
  answers: readonly number[]
  relations: readonly Relation[]
  /** Per relation. */
  clauses: readonly (readonly Clause[])[]
  /** Each world's answers by market, 1 for yes. */
  worlds: readonly Uint8Array[]
}

export interface RefusedGroup {
  markets: readonly string[]
  reason: Refusal | 'too_many_markets'
}

export interface Groups {
  groups: Group[]
  refused: RefusedGroup[]
}

/** A relation that names an unknown market is left out. */
export function groupsOf(
  markets: readonly StructureMarket[],
  relations: readonly Relation[],
  onProgress?: OnProgress,
): Groups {
  const known = new Map(markets.map((market) => [market.key, market]))
  const usable = relations.filter((relation) => marketsOf(relation).every((key) => known.has(key)))
  const head = joined(usable)
  const parts = new Map<string, Relation[]>()
  for (const relation of usable) {
    const first = marketsOf(relation)[0]
    if (first === undefined) continue
    const part = parts.get(head(first))
    if (part === undefined) parts.set(head(first), [relation])
    else part.push(relation)
  }
  const found: Groups = { groups: [], refused: [] }
  for (const part of parts.values()) {
    const keys = [...new Set(part.flatMap(marketsOf))].sort()
    const group =
      keys.length > marketsMax
        ? 'too_many_markets'
        : groupOf(
            keys.map((key) => known.get(key)!),
            part,
            onProgress,
          )
    if (typeof group === 'string') found.refused.push({ markets: keys, reason: group })
    else found.groups.push(group)
  }
  return found
}

/** All of these markets as one group, whether or not relations connect them. */
export function groupOf(
  markets: readonly StructureMarket[],
  relations: readonly Relation[],
  onProgress?: OnProgress,
): Group | Refusal {
  const indexOf = new Map(markets.map(({ key }, index) => [key, index]))
  const clauses = relations.map((relation) => clausesOf(relation, indexOf))
  const worlds = scenariosOf(markets.length, clauses.flat(), onProgress)
  if (typeof worlds === 'string') return worlds
  const fees = markets.map(({ fee }) => compileFee(fee))
  return { markets, fees, indexOf, answers: answersOf(markets.length, worlds), relations, clauses, worlds }
}

function answersOf(markets: number, worlds: readonly Uint8Array[]): number[] {
  const seen = new Map<string, number>()
  return Array.from({ length: 2 * markets }, (_, literal) => {
    const truths = worlds.map((world) => world[marketOf(literal)]! ^ (literal & 1)).join('')
    const answer = seen.get(truths) ?? literal
    seen.set(truths, answer)
    return answer
  })
}

/** One representative for all markets these relations connect. */
function joined(relations: readonly Relation[]): (key: string) => string {
  const heads = new Map<string, string>()
  const head = (key: string): string => {
    let at = key
    for (let next = heads.get(at); next !== undefined; next = heads.get(at)) at = next
    if (at !== key) heads.set(key, at)
    return at
  }
  for (const relation of relations) {
    const [first, ...rest] = marketsOf(relation)
    for (const other of rest) if (head(other) !== head(first!)) heads.set(head(other), head(first!))
  }
  return head
}
