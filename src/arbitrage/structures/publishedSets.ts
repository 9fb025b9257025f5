// The last report of each set. A row is withdrawn as soon as one of its books can no longer be bought from, even while many sets wait to be
// searched again; its replacement is reported once its own set was searched. The many sets that still have no row are not reported twice.
import { isDeepStrictEqual } from 'node:util'
import { sideFlag } from '../flags.ts'
import type { FoundInSet } from './engine.ts'
import type { Offers } from './input.ts'
import type { Structure, StructureLeg } from './structure.ts'

/** `busy`: its book is being written; retried. */
export type CurrentAsks = (market: string, side: 'yes' | 'no') => Offers | null | 'busy'

export class PublishedSets {
  private readonly offersOf: CurrentAsks
  private readonly published = new Map<string, FoundInSet>()
  /** Sets added or searched since the last report. */
  private readonly changedSets = new Set<string>()
  /** Sets with rows withdrawn since the last report. */
  private readonly reducedSets = new Set<string>()

  constructor(offersOf: CurrentAsks) {
    this.offersOf = offersOf
  }

  /** Something is waiting to be reported. */
  get due(): boolean {
    return this.changedSets.size + this.reducedSets.size > 0
  }

  markSearched(name: string): void {
    this.changedSets.add(name)
  }

  drop(name: string): void {
    this.published.delete(name)
    this.changedSets.delete(name)
    this.reducedSets.delete(name)
  }

  /** A book of this market changed: rows of the set that can no longer be bought from it as reported are withdrawn. */
  check(name: string, market: string): void {
    const published = this.published.get(name)
    if (published === undefined) return
    const structures = published.structures.filter((structure) => this.isValid(structure, market))
    if (structures.length === published.structures.length) return
    this.published.set(name, { ...published, structures, proven: false })
    this.reducedSets.add(name)
  }

  /** Returns what must be reported now. `found`: the result for one set, null if its books have changed since. */
  take(found: (name: string) => FoundInSet | null): FoundInSet[] {
    const sets: FoundInSet[] = []
    for (const name of this.changedSets) {
      const set = found(name)
      if (set === null) continue
      this.changedSets.delete(name)
      const before = this.published.get(name)
      this.published.set(name, set)
      if (this.reducedSets.delete(name) || before === undefined || !isStillEmpty(before, set)) sets.push(set)
    }
    for (const name of this.reducedSets) sets.push(this.published.get(name)!)
    this.reducedSets.clear()
    return sets
  }

  private isValid({ executable, legs }: Structure, market: string): boolean {
    return legs.every((leg) => leg.market !== market || this.isForSale(leg, executable))
  }

  /** A row reported as executable needs a book without flags; for others any available book suffices. */
  private isForSale({ market, side }: StructureLeg, executable: boolean): boolean {
    const offers = this.offersOf(market, side)
    if (offers === 'busy') return true
    return offers !== null && (offers.flags & (executable ? ~0 : sideFlag.unavailable)) === 0
  }
}

const isStillEmpty = (before: FoundInSet, now: FoundInSet): boolean =>
  before.structures.length + now.structures.length === 0 &&
  before.proven === now.proven &&
  before.searched === now.searched &&
  isDeepStrictEqual(before.refused, now.refused)
