// Structures of many markets: what relations allow is compiled once, what the books make of it is asked at every change.
import { type Group, type Groups, groupsOf, type RefusedGroup } from './groups.ts'
import type { OffersOf, Relation, StructureMarket } from './input.ts'
import { type Position, positionsOf } from './position.ts'
import { restsOn, tied } from './rests.ts'
import { bestFound, resized, type SearchOptions } from './search.ts'
import { sizesOf } from './sizes.ts'
import { payersOf, type Structure, structureKey, structureOf } from './structure.ts'

export interface CompiledStructures {
  /** Of `verified` relations alone: what may be executable. */
  sure: Groups
  /** Of every relation that is shown: what is executable only where it happens to rest on sure ones. */
  shown: Groups
}

export interface StructureOptions extends SearchOptions {
  /** Of one group; they share no position, so that all of them can be bought. */
  rowsMax: number
}

export interface FoundStructures {
  structures: Structure[]
  refused: RefusedGroup[]
  /** False: in some group there may be better ones than these. */
  proven: boolean
}

export const compileStructures = (
  markets: readonly StructureMarket[],
  relations: readonly Relation[],
): CompiledStructures => ({
  sure: groupsOf(
    markets,
    relations.filter(({ band }) => band === 'verified'),
  ),
  shown: groupsOf(
    markets,
    relations.filter(({ band }) => band === 'verified' || band === 'minor' || band === 'material'),
  ),
})

/** Executable ones first, each kind by what it leaves. */
export function findStructures(
  { sure, shown }: CompiledStructures,
  offersOf: OffersOf,
  options: StructureOptions,
): FoundStructures {
  const byKey = new Map<string, Structure>()
  let proven = true
  for (const [{ groups }, executable] of [
    [sure, true],
    [shown, false],
  ] as const) {
    for (const group of groups) {
      const found = structuresIn(group, positionsOf(group, offersOf, { executable }), options)
      proven &&= found.proven
      for (const structure of found.structures) {
        const key = structureKey(structure)
        if (!byKey.has(key)) byKey.set(key, structure)
      }
    }
  }
  const structures = [...byKey.values()].sort(
    (a, b) => Number(b.executable) - Number(a.executable) || b.edge - a.edge || b.roi - a.roi,
  )
  return { structures, refused: shown.refused, proven }
}

/** The best of one group, then the best of what is left, and so on. */
export function structuresIn(
  group: Group,
  positions: readonly Position[],
  options: StructureOptions,
): { structures: Structure[]; proven: boolean } {
  const structures: Structure[] = []
  let left = positions
  let proven = true
  while (structures.length < options.rowsMax) {
    const found = bestFound(group, left, options)
    proven &&= found.proven
    const { set } = found
    if (set === null) break
    const relations = restsOn(group, payersOf(set), set.pays)
    const literals = set.positions.map(({ literal }) => literal)
    const parts = tied(group, literals, relations).map((legs) => legs.map((leg) => set.positions[leg]!))
    for (const part of parts) {
      const own = parts.length === 1 ? set : resized(group, part, sizesOf(part, options.unitsMax).units)
      if (own !== null && own.edge >= options.leastEdge)
        structures.push(structureOf(own, restsOn(group, payersOf(own), own.pays)))
    }
    left = left.filter((position) => !set.positions.includes(position))
  }
  return { structures, proven }
}
