// Ids of outcomes: the market's hash and the venue's number of the side. Both read the hash's single book, which is priced on side one.
import { ownBook, withOutcomeSuffix } from '../shared/data/binary.ts'

export const hashForm = /^0x[0-9a-f]{64}$/
export const isHash = (text: string): boolean => hashForm.test(text)

/** As in the venue's own results: 1 and 2; 0 is void. */
export const { idsOf, bookRef } = withOutcomeSuffix({ yes: ':1', no: ':2' }, isHash)

/** The venue itself knows a book by the bare hash. */
export const marketBook = ownBook(isHash)
