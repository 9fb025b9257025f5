// The structures of many markets, kept as books change: a book that changed is looked at again in the groups it belongs to, and nowhere else.
import { type GroupStructures, type StructureOptions, structuresIn } from './groupStructures.ts'
import { type Group, type Groups, groupsOf, type RefusedGroup } from './groups.ts'
import type { OffersOf, Relation, StructureMarket } from './input.ts'
import { positionsOf } from './position.ts'
import { type Structure, structureKey } from './structure.ts'

/** What relations allow, worked out once. */
export interface CompiledStructures {
  /** Of `verified` relations alone: what may be executable. */
  sure: Groups
  /** Of every relation that is shown: what is executable only where it happens to rest on sure ones. */
  shown: Groups
}

export interface FoundStructures {
  /** Executable ones first, then by what they leave. */
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

interface Part {
  group: Group
  executable: boolean
  memory: Float64Array[]
  found: GroupStructures
}

export class StructureSurface {
  private readonly offersOf: OffersOf
  private readonly options: StructureOptions
  private readonly refused: readonly RefusedGroup[]
  /** Sure ones first: of two rows with the same legs the first is told. */
  private readonly parts: Part[]
  private readonly partsOf = new Map<string, Part[]>()
  private readonly dueParts: Set<Part>

  /** Every group is due. */
  constructor({ sure, shown }: CompiledStructures, offersOf: OffersOf, options: StructureOptions) {
    this.offersOf = offersOf
    this.options = options
    this.refused = shown.refused
    const partOf =
      (executable: boolean) =>
      (group: Group): Part => ({ group, executable, memory: [], found: { structures: [], proven: false } })
    this.parts = [...sure.groups.map(partOf(true)), ...shown.groups.map(partOf(false))]
    this.dueParts = new Set(this.parts)
    for (const part of this.parts)
      for (const { key } of part.group.markets) {
        const parts = this.partsOf.get(key)
        if (parts === undefined) this.partsOf.set(key, [part])
        else parts.push(part)
      }
  }

  /** Groups that `recompute` will look at. */
  get due(): number {
    return this.dueParts.size
  }

  /** A book of this market changed. */
  dirty(market: string): void {
    for (const part of this.partsOf.get(market) ?? []) this.dueParts.add(part)
  }

  /** Looks at groups that are due, those that waited longest first; at most so many. How many it were. */
  recompute(groupsMax = Number.POSITIVE_INFINITY): number {
    let count = 0
    for (const part of this.dueParts) {
      if (count === groupsMax) break
      this.dueParts.delete(part)
      part.found = this.look(part)
      count++
    }
    return count
  }

  private look({ group, executable, memory }: Part): GroupStructures {
    const positions = positionsOf(group, this.offersOf, { executable })
    // Nothing here is unsure: the group of sure relations has told all of it.
    if (
      !executable &&
      group.relations.every(({ band }) => band === 'verified') &&
      positions.every(({ flags }) => flags === 0)
    )
      return { structures: [], proven: true }
    return structuresIn(group, positions, this.options, memory)
  }

  found(): FoundStructures {
    const byKey = new Map<string, Structure>()
    for (const { found } of this.parts)
      for (const structure of found.structures) {
        const key = structureKey(structure)
        if (!byKey.has(key)) byKey.set(key, structure)
      }
    const structures = [...byKey.values()].sort(
      (a, b) => Number(b.executable) - Number(a.executable) || b.edge - a.edge || b.roi - a.roi,
    )
    return { structures, refused: [...this.refused], proven: this.parts.every(({ found }) => found.proven) }
  }
}

/** All of them at once. */
export function findStructures(
  compiled: CompiledStructures,
  offersOf: OffersOf,
  options: StructureOptions,
): FoundStructures {
  const surface = new StructureSurface(compiled, offersOf, options)
  surface.recompute()
  return surface.found()
}
