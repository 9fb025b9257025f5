// The structures of one group at its current books.
import type { Group } from './groups.ts'
import type { Position } from './position.ts'
import { premises, sharedPosition } from './premises.ts'
import { bestFound, type SearchOptions, withSizes } from './search.ts'
import { sizesOf } from './sizing.ts'
import { payingOutcomes, type Structure, structureOf } from './structure.ts'

export interface StructureOptions extends SearchOptions {
  /** Of one group, not counting equalities; they share no position, so that all of them can be bought. */
  rowsMax: number
}

/** Maximum searches per row of a group: equalities are reported elsewhere and must not displace what is reported only here. */
const roundsPerRow = 2

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
  const { onProgress } = options
  const structures: Structure[] = []
  let left = positions
  let proven = true
  let counted = 0
  for (let round = 0; counted < options.rowsMax && round < roundsPerRow * options.rowsMax; round++) {
    const found = bestFound(group, left, options, memory)
    proven &&= found.proven
    const { set } = found
    if (set === null) break
    const relations = premises(group, payingOutcomes(set), set.pays, onProgress)
    const literals = set.positions.map(({ literal }) => literal)
    const parts = sharedPosition(group, literals, relations).map((legs) => legs.map((leg) => set.positions[leg]!))
    for (const part of parts) {
      const own =
        parts.length === 1 ? set : withSizes(group, part, sizesOf(part, options.unitsMax).units, { onProgress })
      if (own === null || own.edge < options.leastEdge) continue
      const structure = structureOf(own, premises(group, payingOutcomes(own), own.pays, onProgress))
      if (structure.kind !== 'equality') counted++
      structures.push(structure)
    }
    left = left.filter((position) => !set.positions.includes(position))
  }
  return { structures, proven }
}
