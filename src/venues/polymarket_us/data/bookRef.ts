// How outcomes are named: the market's slug and a side. Both read the one book of the slug, which is priced on the long side.
import type { BookRef } from '../../venue.ts'
import { Slug } from '../wire.ts'

export const longId = (slug: string): string => `${slug}:long`
export const shortId = (slug: string): string => `${slug}:short`

export const isSlug = (text: string): boolean => Slug.safeParse(text).success

/** The venue itself knows a book by the bare slug. */
export const marketBook = (marketId: string): BookRef | null =>
  isSlug(marketId) ? { bookId: marketId, complement: false } : null

export function bookRef(outcomeId: string): BookRef | null {
  const colon = outcomeId.indexOf(':')
  const slug = outcomeId.slice(0, colon)
  const side = outcomeId.slice(colon + 1)
  if (colon < 0 || (side !== 'long' && side !== 'short') || !isSlug(slug)) return null
  return { bookId: slug, complement: side === 'short' }
}
