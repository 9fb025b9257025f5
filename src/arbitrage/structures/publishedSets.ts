// What was reported of each set, so that a row is withdrawn as soon as one of its books is no longer for sale, even while many sets wait to
// be searched again (its replacement is reported once its own set was searched), and so that the many sets without a row are not reported
// twice.
import { isDeepStrictEqual } from 'node:util'
import { sideFlag } from '../flags.ts'
import type { FoundInSet } from './engine.ts'
import type { Offers } from './input.ts'
import type { Structure, StructureLeg } from './structure.ts'

/** `busy`: its book is being written; retried. */
export type currentAsks = (market: string, side: 'yes' | 'no') => Offers | null | 'busy'

export class PublishedSets {
  private readonly offersOf: currentAsks
  private readonly published = new Map<string, FoundInSet>()
  /** Sets added or searched since. */
  private readonly news = new Set<string>()
  /** Sets with withdrawn rows since. */
  private readonly fewer = new Set<string>()

  constructor(offersOf: currentAsks) {
    this.offersOf = offersOf
  }

  /** Something is waiting to be reported. */
  get due(): boolean {
    return this.news.size + this.fewer.size > 0
  }

  looked(name: string): void {
    this.news.add(name)
  }

  drop(name: string): void {
    this.published.delete(name)
    this.news.delete(name)
    this.fewer.delete(name)
  }

  /** A book of this market changed: rows of the set that can no longer be bought from it as reported are withdrawn. */
  check(name: string, market: string): void {
    const published = this.published.get(name)
    if (published === undefined) return
    const structures = published.structures.filter((structure) => this.isValid(structure, market))
    if (structures.length === published.structures.length) return
    this.published.set(name, { ...published, structures, proven: false })
    this.fewer.add(name)
  }

  /** Takes what is to be reported now; `found`: of one set, null if its books are outdated. */
  take(found: (name: string) => FoundInSet | null): FoundInSet[] {
    const sets: FoundInSet[] = []
    for (const name of this.news) {
      const set = found(name)
      if (set === null) continue
      this.news.delete(name)
      const before = this.published.get(name)
      this.published.set(name, set)
      if (this.fewer.delete(name) || before === undefined || !isStillNothing(before, set)) sets.push(set)
    }
    for (const name of this.fewer) sets.push(this.published.get(name)!)
    this.fewer.clear()
    return sets
  }

  private isValid({ executable, legs }: Structure, market: string): boolean {
    return legs.every((leg) => leg.market !== market || this.isForSale(leg, executable))
  }

  /** A row reported as executable needs a flawless book; others need any book at all. */
  private isForSale({ market, side }: StructureLeg, executable: boolean): boolean {
    const offers = this.offersOf(market, side)
    if (offers === 'busy') return true
    return offers !== null && (offers.flags & (executable ? ~0 : sideFlag.unavailable)) === 0
  }
}

const isStillNothing = (before: FoundInSet, now: FoundInSet): boolean =>
  before.structures.length + now.structures.length === 0 &&
  before.proven === now.proven &&
  before.searched === now.searched &&
  isDeepStrictEqual(before.refused, now.refused)
