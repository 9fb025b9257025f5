// Ids: a market is an outcome number, an outcome is one of its two coins, and every coin has its own book.
import { ownBook } from '../shared/data/binary.ts'

/** `#` and 10 × outcome + side. */
const coin = /^#(?:[1-9]\d{0,6})?[01]$/
const number = /^(?:0|[1-9]\d{0,6})$/

export const isCoin = (text: string): boolean => coin.test(text)

/** The outcome number of a market id or a coin; null when it is neither. */
export function outcomeNumberOf(text: string): number | null {
  if (number.test(text)) return Number(text)
  return isCoin(text) ? Math.floor(Number(text.slice(1)) / 10) : null
}

export const bookRef = ownBook(isCoin)
