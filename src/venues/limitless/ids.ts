// How Limitless' things are named here. A market is its slug. Its outcomes are the name of its book with a side behind it: the slug where there is a
// CLOB, the pool's address where there is an AMM, so that the id alone says which. The book itself has the name of its YES.
import { suffixedIds } from '../shared/data/binary.ts'

const slugForm = /^[A-Za-z0-9][\w-]{0,250}$/
const poolForm = /^0x[0-9a-fA-F]{40}$/

export const isSlug = (text: string): boolean => slugForm.test(text)
export const isPool = (text: string): boolean => poolForm.test(text)

const sides = { yes: ':yes', no: ':no' } as const

const named = suffixedIds(sides, isSlug)

/** YES before NO, of a slug or of a pool's address. */
export const { idsOf } = named

/** A colon is in no slug: the market says nothing that the id does not. */
export function bookRef(outcomeId: string): { bookId: string; complement: boolean } | null {
  const ref = named.bookRef(outcomeId)
  return ref === null ? null : { ...ref, bookId: bookIdOf(ref.bookId) }
}

/** The book of a slug or of a pool's address. */
export const bookIdOf = (name: string): string => name + sides.yes

/** What the venue knows an outcome's book by: a slug, or a pool's address. Null for what is no outcome of this venue. */
export const nameOf = (outcomeId: string): string | null => named.bookRef(outcomeId)?.bookId ?? null

/** A market by its bare slug or address. */
export const marketBook = (name: string): { bookId: string; complement: false } | null =>
  isSlug(name) ? { bookId: bookIdOf(name), complement: false } : null
