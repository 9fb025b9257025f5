// Ids of Predict.fun's items here: a market is its number, an outcome that plus its index set. Tokens are 256-bit numbers like those of other
// venues, and no read takes them.
import { ownBook, withOutcomeSuffix } from '../shared/data/binary.ts'

const marketForm = /^[1-9]\d{0,11}$/
const slugForm = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,199}$/

export const isMarketId = (text: string): boolean => marketForm.test(text)
/** A category, our event. */
export const isSlug = (text: string): boolean => slugForm.test(text)

/** `1739803:1` and `1739803:2`; the book is quoted in the first. */
export const { idsOf, bookRef } = withOutcomeSuffix({ yes: ':1', no: ':2' }, isMarketId)

/** The venue itself knows a book by the market's number. */
export const marketBook = ownBook(isMarketId)
