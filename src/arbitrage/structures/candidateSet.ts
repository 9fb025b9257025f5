// A set of markets as passed to the search thread: plain data, with books by their slots in shared memory.
import type { SlotHandle } from '#core/books/shared/layout'
import type { BookSource } from '../cluster.ts'
import { sideFlag } from '../flags.ts'
import type { Relation, StructureMarket } from './input.ts'
import type { MarketSetInput } from './sets.ts'

/** Where the offers of one answer are. */
export interface WorkerBook {
  handle: SlotHandle
  complement: boolean
  /** Bits of `sideFlag` that apply regardless of the content of the book. */
  flags: number
}

export interface WorkerMarket {
  market: StructureMarket
  /** Null: nothing can be bought there. */
  yes: WorkerBook | null
  no: WorkerBook | null
}

export interface WorkerSet {
  name: string
  markets: WorkerMarket[]
  relations: readonly Relation[]
}

/** `slotOf` null: that book is not in shared memory. */
export function workerSet(
  { name, facts, relations }: MarketSetInput,
  slotOf: (venue: string, bookId: string) => SlotHandle | null,
): WorkerSet {
  const bookOf = (venue: string, source: BookSource | null): WorkerBook | null => {
    const handle = source === null ? null : slotOf(venue, source.bookId)
    if (source === null || handle === null) return null
    const { slot, generation } = handle
    const flags = source.synthetic === true ? sideFlag.synthetic : 0
    return { handle: { slot, generation }, complement: source.complement, flags }
  }
  return {
    name,
    markets: facts.map(({ market, yesBook, noBook }) => ({
      market,
      yes: bookOf(market.venue, yesBook),
      no: bookOf(market.venue, noBook),
    })),
    relations,
  }
}

/** Every book it names has a slot in shared memory. */
export const isWhole = ({ facts }: MarketSetInput, { markets }: WorkerSet): boolean =>
  facts.every(
    ({ yesBook, noBook }, at) =>
      (yesBook === null || markets[at]!.yes !== null) && (noBook === null || markets[at]!.no !== null),
  )
