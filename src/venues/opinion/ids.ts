// Ids of Opinion's items here. Markets and categorical markets are numbered separately, and tokens are 256-bit numbers like those of other
// venues: neither is unique by itself.
import { ownBook } from '../shared/data/binary.ts'

const marketForm = /^[1-9]\d{0,11}$/
/** The market, which the stream is subscribed by, and the token, which REST takes. */
const outcomeForm = /^([1-9]\d{0,11}):(\d{20,78})$/
const categoricalForm = /^categorical-([1-9]\d{0,11})$/

export const isMarketId = (text: string): boolean => marketForm.test(text)
export const isToken = (text: string): boolean => /^\d{20,78}$/.test(text)

/** `26356:28693…9599`: also the name of the book, since every token has its own. */
export const outcomeIdOf = (marketId: string, token: string): string => `${marketId}:${token}`

export const bookRef = ownBook((outcomeId) => outcomeForm.test(outcomeId))

export function partsOf(bookId: string): { marketId: string; token: string } | null {
  const [, marketId, token] = outcomeForm.exec(bookId) ?? []
  return marketId === undefined || token === undefined ? null : { marketId, token }
}

/** A standalone market is an event of its own number. */
export const categoricalId = (id: number): string => `categorical-${id}`

/** The number in the id of a categorical event; null for any other id. */
export const categoricalOf = (eventId: string): string | null => categoricalForm.exec(eventId)?.[1] ?? null
