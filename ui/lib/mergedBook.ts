// Merges the books of several venues: levels with the same price become one, with each venue's size. Pure.
import type { Level } from '#schemas/marketData'

export interface VenueBook {
  id: string
  bids: readonly Level[]
  asks: readonly Level[]
}

export interface MergedLevel extends Level {
  /** Largest first. */
  venues: { id: string; size: number }[]
}

export interface MergedBook {
  /** Best first. */
  bids: MergedLevel[]
  asks: MergedLevel[]
}

export function mergeBooks(books: readonly VenueBook[]): MergedBook {
  const side = (of: (book: VenueBook) => readonly Level[]): MergedLevel[] => {
    const levels = new Map<number, MergedLevel>()
    for (const book of books)
      for (const { price, size } of of(book)) {
        // Venues compute the same price with different rounding errors
        const key = Math.round(price * 1e6)
        const level = levels.get(key) ?? { price: key / 1e6, size: 0, venues: [] }
        level.size += size
        level.venues.push({ id: book.id, size })
        levels.set(key, level)
      }
    for (const level of levels.values()) level.venues.sort((a, b) => b.size - a.size)
    return [...levels.values()]
  }
  return {
    bids: side(({ bids }) => bids).toSorted((a, b) => b.price - a.price),
    asks: side(({ asks }) => asks).toSorted((a, b) => a.price - b.price),
  }
}
