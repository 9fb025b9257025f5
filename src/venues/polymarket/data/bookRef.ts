// How an outcome id maps to its book: each token has a book of its own, named by the token id (a 256-bit number in
// decimal).
import { ownBook } from '../../shared/data/binary.ts'

/** 2^256 has 78 decimal digits. */
const tokenId = /^\d{1,78}$/

/** The stream market id of an outcome, null when the id cannot be a token id. */
export const bookIdOf = (outcomeId: string): string | null => (tokenId.test(outcomeId) ? outcomeId : null)

export const bookRef = ownBook((outcomeId) => tokenId.test(outcomeId))
