// The structures of one group by its books as they stand.
import type { Group } from './groups.ts'
import type { Position } from './position.ts'
import { restsOn, tied } from './rests.ts'
import { bestFound, resized, type SearchOptions } from './search.ts'
import { sizesOf } from './sizes.ts'
import { payersOf, type Structure, structureOf } from './structure.ts'

export interface StructureOptions extends SearchOptions {
  /** Of one group; they share no position, so that all of them can be bought. */
  rowsMax: number
}

export interface GroupStructures {
  structures: Structure[]
  /** False: there may be better ones. */
  proven: boolean
}

/** The best of one group, then the best of what is left, and so on. `memory` as in `bestFound`. */
export function structuresIn(
  group: Group,
  positions: readonly Position[],
  options: StructureOptions,
  memory: Float64Array[] = [],
): GroupStructures {
  const structures: Structure[] = []
  let left = positions
  let proven = true
  while (structures.length < options.rowsMax) {
    const found = bestFound(group, left, options, memory)
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
