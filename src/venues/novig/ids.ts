// Events, markets and outcomes are named by UUIDs, which no other venue here uses. Each outcome has its own ladder of bids, so its id is also its
// book's.
import { ownBook } from '../shared/data/binary.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isId = (text: string): boolean => form.test(text)

export const bookRef = ownBook(isId)

/** Sorts before every other in the venue's own order. */
export const firstId = '00000000-0000-0000-0000-000000000000'
