// Ids of outcomes: the market's symbol and the outcome's number, which identify books and trades. Each has a book of its own.
import { ownBook } from '../shared/data/binary.ts'

/**
 * As the venue writes them, `UAE-CUP-FINAL-20260425`. A letter and a dash distinguish them from the numbers of other venues, and from an id prefixed
 * by a venue's name.
 */
const symbolForm = /^(?=.*[A-Z])(?=.*-)[A-Z0-9][A-Z0-9._-]{0,119}$/
const separator = ':'

export const isSymbol = (text: string): boolean => symbolForm.test(text)

export const outcomeIdOf = (symbol: string, index: number): string => symbol + separator + index

/** Null for anything but an outcome of this venue. */
export function partsOf(outcomeId: string): { symbol: string; index: number } | null {
  const [symbol = '', index = '', ...rest] = outcomeId.split(separator)
  return isSymbol(symbol) && /^\d{1,3}$/.test(index) && rest.length === 0 ? { symbol, index: Number(index) } : null
}

export const bookRef = ownBook((text) => partsOf(text) !== null)
