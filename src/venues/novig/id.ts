// Events, markets and outcomes are all named by a UUID, and nothing else here is. Each outcome has a ladder of bids of its own, so that its name is
// its book's.
import { ownBook } from '../shared/data/binary.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isId = (text: string): boolean => form.test(text)

export const bookRef = ownBook(isId)

/** Before every other in the venue's own order. */
export const firstId = '00000000-0000-0000-0000-000000000000'
