// The structures of many markets, maintained as books change: a changed book is searched again in its own groups only. Sets of markets come
// and go individually: unchanged ones keep what was found and learned about them.
import { type GroupStructures, type StructureOptions, structuresIn } from './groupStructures.ts'
import { type Group, type Groups, groupsOf, type RefusedGroup } from './groups.ts'
import type { OffersOf, Relation, StructureMarket } from './input.ts'
import { positionsOf } from './position.ts'
import type { OnProgress } from './progress.ts'
import { type Structure, structureKey } from './structure.ts'

/** What relations allow, computed once. */
export interface CompiledStructures {
  /** Of `verified` relations only: what may be executable. */
  sure: Groups
  /** Of every relation shown: executable only if it happens to rest on verified ones. */
  shown: Groups
}

export interface FoundStructures {
  /** Executable ones first, then by edge. */
  structures: Structure[]
  refused: RefusedGroup[]
  /** False: in some group there may be better ones than these. */
  proven: boolean
  /** False: some group has not been searched yet. */
  searched: boolean
}

export const compileStructures = (
  markets: readonly StructureMarket[],
  relations: readonly Relation[],
  onProgress?: OnProgress,
): CompiledStructures => ({
  sure: groupsOf(
    markets,
    relations.filter(({ band }) => band === 'verified'),
    onProgress,
  ),
  shown: groupsOf(
    markets,
    relations.filter(({ band }) => band === 'verified' || band === 'minor' || band === 'material'),
    onProgress,
  ),
})

interface Part {
  set: string
  group: Group
  executable: boolean
  memory: Float64Array[]
  found: GroupStructures
}

interface MarketSet {
  refused: readonly RefusedGroup[]
  /** Verified ones first: of two rows with the same legs the first is reported. */
  parts: Part[]
}

/** For a group never searched: nothing is reported, nothing is proven. */
const notSearched: GroupStructures = { structures: [], proven: false }

/** Due groups searched for one with current structures, which goes first. */
const aheadMax = 64
/** One search in this many is of the longest-waiting group, whether or not it has structures. */
const longestWaitedEvery = 4

export class StructureSurface {
  private readonly offersOf: OffersOf
  private readonly options: StructureOptions
  private readonly sets = new Map<string, MarketSet>()
  private readonly partsOf = new Map<string, Set<Part>>()
  private readonly dueParts = new Set<Part>()
  private readonly unreportedSets = new Set<string>()
  private turn = 0

  /** Every group is due. */
  constructor(compiled: CompiledStructures | null, offersOf: OffersOf, options: StructureOptions) {
    this.offersOf = offersOf
    this.options = options
    if (compiled !== null) this.set('', compiled)
  }

  /** These markets are independent of every other set. Replaces the set of this name; its groups are due. */
  set(name: string, { sure, shown }: CompiledStructures): void {
    this.drop(name)
    const partOf =
      (executable: boolean) =>
      (group: Group): Part => ({
        set: name,
        group,
        executable,
        memory: [],
        found: notSearched,
      })
    const parts = [...sure.groups.map(partOf(true)), ...shown.groups.map(partOf(false))]
    this.sets.set(name, { refused: shown.refused, parts })
    for (const part of parts) {
      this.dueParts.add(part)
      for (const { key } of part.group.markets) {
        const partsOfMarket = this.partsOf.get(key)
        if (partsOfMarket === undefined) this.partsOf.set(key, new Set([part]))
        else partsOfMarket.add(part)
      }
    }
    this.unreportedSets.add(name)
  }

  drop(name: string): void {
    for (const part of this.sets.get(name)?.parts ?? []) {
      this.dueParts.delete(part)
      for (const { key } of part.group.markets) {
        const partsOfMarket = this.partsOf.get(key)
        partsOfMarket?.delete(part)
        if (partsOfMarket?.size === 0) this.partsOf.delete(key)
      }
    }
    this.sets.delete(name)
    this.unreportedSets.delete(name)
  }

  /** Groups that `recompute` will search. */
  get due(): number {
    return this.dueParts.size
  }

  /** A book of this market changed. */
  dirty(market: string): void {
    for (const part of this.partsOf.get(market) ?? []) this.dueParts.add(part)
  }

  /** Names of the sets that contain this market. */
  setsOf(market: string): Set<string> {
    return new Set([...(this.partsOf.get(market) ?? [])].map((part) => part.set))
  }

  /** Searches due groups, longest waiting first; at most `groupsMax`. Returns how many. */
  recompute(groupsMax = Number.POSITIVE_INFINITY): number {
    let count = 0
    for (const part of this.dueParts) {
      if (count === groupsMax) break
      this.search(part)
      count++
    }
    return count
  }

  /** Searches all due groups of one set: sets with current structures come first, but the others do not starve. */
  recomputeSet(): void {
    const first = this.next()
    if (first === null) return
    for (const part of this.sets.get(first.set)!.parts) if (this.dueParts.has(part)) this.search(part)
  }

  private next(): Part | null {
    const first = this.dueParts.values().next().value ?? null
    if (++this.turn % longestWaitedEvery === 0) return first
    let seen = 0
    for (const part of this.dueParts) {
      if (part.found.structures.length > 0) return part
      if (++seen === aheadMax) break
    }
    return first
  }

  private search(part: Part): void {
    this.options.onProgress?.()
    this.dueParts.delete(part)
    part.found = this.structuresOf(part)
    this.unreportedSets.add(part.set)
  }

  private structuresOf({ group, executable, memory }: Part): GroupStructures {
    const positions = positionsOf(group, this.offersOf, { executable })
    // Nothing here is unverified: the group of verified relations has reported all of it.
    if (
      !executable &&
      group.relations.every(({ band }) => band === 'verified') &&
      positions.every(({ flags }) => flags === 0)
    )
      return { structures: [], proven: true }
    return structuresIn(group, positions, this.options, memory)
  }

  /** Sets added or searched since the last call, except those with something outdated. */
  takeSearched(): string[] {
    const names = [...this.unreportedSets].filter((name) => !this.isOutOfDate(name))
    for (const name of names) this.unreportedSets.delete(name)
    return names
  }

  /** The books in this set have changed since it was searched. */
  isOutOfDate(name: string): boolean {
    const parts = this.sets.get(name)?.parts ?? []
    return parts.some((part) => part.found !== notSearched && this.dueParts.has(part))
  }

  /** Of one set, or of all of them. */
  found(name?: string): FoundStructures {
    const one = name === undefined ? undefined : this.sets.get(name)
    const sets = name === undefined ? [...this.sets.values()] : one === undefined ? [] : [one]
    const parts = sets.flatMap((each) => each.parts)
    const byKey = new Map<string, Structure>()
    // Verified ones of all sets first.
    for (const { found } of [...parts.filter(({ executable }) => executable), ...parts.filter((p) => !p.executable)])
      for (const structure of found.structures) {
        const key = structureKey(structure)
        if (!byKey.has(key)) byKey.set(key, structure)
      }
    const structures = [...byKey.values()].sort(
      (a, b) => Number(b.executable) - Number(a.executable) || b.edge - a.edge || b.roi - a.roi,
    )
    return {
      structures,
      refused: sets.flatMap(({ refused }) => refused),
      proven: parts.every(({ found }) => found.proven),
      searched: parts.every(({ found }) => found !== notSearched),
    }
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
