// The asks for each outcome, read from the books in shared memory. A book that is stale, was never written, or now belongs to another
// market cannot be bought from.
import { SharedBooksReader, SharedDepth } from '#core/books/shared/index'
import { ONE } from '#core/price'
import { sideFlag } from '../flags.ts'
import type { WorkerBook, WorkerMarket, WorkerSet } from './candidateSet.ts'
import type { Offer, Offers } from './input.ts'
import { unitsPerContract } from './position.ts'
import type { CurrentAsks } from './publishedSets.ts'

/** Sizes are whole micro-contracts: slightly below a hundredth counts as that hundredth. */
const gridSlack = 1e-6

export class SharedAskLadders {
  private readonly reader: SharedBooksReader
  private readonly depth = new SharedDepth()
  private readonly unitsMax: number
  private readonly books = new Map<string, WorkerMarket>()
  private readonly sets = new Map<string, WorkerSet>()
  private readonly bySlot = new Map<number, Set<string>>()
  private readonly busy = new Set<string>()

  /** `unitsMax`: the most that is ever bought of one outcome. */
  constructor(arena: SharedArrayBuffer, unitsMax: number) {
    this.reader = new SharedBooksReader(arena)
    this.unitsMax = unitsMax
  }

  set(set: WorkerSet): void {
    this.drop(set.name)
    this.sets.set(set.name, set)
    for (const each of set.markets) {
      const { key } = each.market
      this.books.set(key, each)
      for (const book of [each.yes, each.no]) {
        if (book === null) continue
        const keys = this.bySlot.get(book.handle.slot)
        if (keys === undefined) this.bySlot.set(book.handle.slot, new Set([key]))
        else keys.add(key)
      }
    }
  }

  drop(name: string): void {
    for (const { market, yes, no } of this.sets.get(name)?.markets ?? []) {
      this.books.delete(market.key)
      for (const book of [yes, no]) {
        if (book === null) continue
        const keys = this.bySlot.get(book.handle.slot)
        keys?.delete(market.key)
        if (keys?.size === 0) this.bySlot.delete(book.handle.slot)
      }
    }
    this.sets.delete(name)
  }

  markets(): Iterable<string> {
    return this.books.keys()
  }

  marketsOf(slot: number): Iterable<string> {
    return this.bySlot.get(slot) ?? []
  }

  /** Like `offersOf`, but returns `'busy'` if the book was being written at every attempt. */
  readonly currentOffers: CurrentAsks = (market, side) => {
    const offers = this.offersOf(market, side)
    return offers === null && this.busy.has(market) ? 'busy' : offers
  }

  /** Markets skipped since the last call because their book was being written at every attempt. */
  takeBusy(): string[] {
    const markets = [...this.busy]
    this.busy.clear()
    return markets
  }

  readonly offersOf = (market: string, side: 'yes' | 'no'): Offers | null => {
    const book = this.books.get(market)?.[side] ?? null
    return book === null ? null : this.read(market, book)
  }

  private read(market: string, { handle, complement, flags }: WorkerBook): Offers | null {
    const { depth } = this
    const result = this.reader.read(handle.slot, depth, handle.generation)
    if (result === 'busy') this.busy.add(market)
    // Zero: nothing was ever written there.
    if (result !== 'ok' || !(depth.recvTs > 0)) return null
    const levels: Offer[] = []
    const count = complement ? depth.bids : depth.asks
    let left = this.unitsMax
    for (let i = 0; i < count && left > 0; i++) {
      const micros = complement ? ONE - depth.bidMicros[i]! : depth.askMicros[i]!
      const size = complement ? depth.bidSizes[i]! : depth.askSizes[i]!
      const units = Math.min(left, Math.floor(size * unitsPerContract + gridSlack))
      if (units > 0) levels.push({ micros, units })
      left -= units
    }
    const crossed = depth.bids > 0 && depth.asks > 0 && depth.bidMicros[0]! >= depth.askMicros[0]!
    return {
      levels,
      flags: flags | (depth.stale || crossed ? sideFlag.stale : 0),
      asOf: depth.eventTs > 0 ? depth.eventTs : depth.recvTs,
    }
  }
}
