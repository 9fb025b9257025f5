// What was told of each set, so that a row is taken back as soon as one of its books is no longer for sale, however many sets wait to be
// looked at again (what replaces it is told when its own set was), and so that nothing is told twice of the many sets without a row.
import { isDeepStrictEqual } from 'node:util'
import { sideFlag } from '../flags.ts'
import type { FoundInSet } from './engine.ts'
import type { Offers } from './input.ts'
import type { Structure, StructureLeg } from './structure.ts'

/** `busy`: its book is being written; asked again. */
export type OffersNow = (market: string, side: 'yes' | 'no') => Offers | null | 'busy'

export class ToldSets {
  private readonly offersOf: OffersNow
  private readonly told = new Map<string, FoundInSet>()
  /** Sets that came or were looked at since. */
  private readonly news = new Set<string>()
  /** Sets of which rows were taken back since. */
  private readonly fewer = new Set<string>()

  constructor(offersOf: OffersNow) {
    this.offersOf = offersOf
  }

  /** Something waits to be told. */
  get due(): boolean {
    return this.news.size + this.fewer.size > 0
  }

  looked(name: string): void {
    this.news.add(name)
  }

  drop(name: string): void {
    this.told.delete(name)
    this.news.delete(name)
    this.fewer.delete(name)
  }

  /** A book of this market changed: rows of the set that cannot be bought off it as they were told are no more. */
  check(name: string, market: string): void {
    const told = this.told.get(name)
    if (told === undefined) return
    const structures = told.structures.filter((structure) => this.stands(structure, market))
    if (structures.length === told.structures.length) return
    this.told.set(name, { ...told, structures, proven: false })
    this.fewer.add(name)
  }

  /** Takes what is to be told now; `found`: of one set, null where it is of books as they were. */
  take(found: (name: string) => FoundInSet | null): FoundInSet[] {
    const sets: FoundInSet[] = []
    for (const name of this.news) {
      const set = found(name)
      if (set === null) continue
      this.news.delete(name)
      const before = this.told.get(name)
      this.told.set(name, set)
      if (this.fewer.delete(name) || before === undefined || !isStillNothing(before, set)) sets.push(set)
    }
    for (const name of this.fewer) sets.push(this.told.get(name)!)
    this.fewer.clear()
    return sets
  }

  private stands({ executable, legs }: Structure, market: string): boolean {
    return legs.every((leg) => leg.market !== market || this.isForSale(leg, executable))
  }

  /** What was told as executable needs a book without a flaw; what was not, one at all. */
  private isForSale({ market, side }: StructureLeg, executable: boolean): boolean {
    const offers = this.offersOf(market, side)
    if (offers === 'busy') return true
    return offers !== null && (offers.flags & (executable ? ~0 : sideFlag.unavailable)) === 0
  }
}

const isStillNothing = (before: FoundInSet, now: FoundInSet): boolean =>
  before.structures.length + now.structures.length === 0 &&
  before.proven === now.proven &&
  isDeepStrictEqual(before.refused, now.refused)
