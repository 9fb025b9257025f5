// Ids of Limitless' items here. A market is its slug. Its outcomes are the name of its book plus a side: the slug for a CLOB, the pool's address for
// an AMM, so that the id alone shows which. The book itself is named after its YES.
import { withOutcomeSuffix } from '../shared/data/binary.ts'

const slugForm = /^[A-Za-z0-9][\w-]{0,250}$/
const poolForm = /^0x[0-9a-fA-F]{40}$/

export const isSlug = (text: string): boolean => slugForm.test(text)
export const isPool = (text: string): boolean => poolForm.test(text)

const sides = { yes: ':yes', no: ':no' } as const

const named = withOutcomeSuffix(sides, isSlug)

/** YES before NO, of a slug or of a pool's address. */
export const { idsOf } = named

/** No slug contains a colon: the market adds nothing to the id. */
export function bookRef(outcomeId: string): { bookId: string; complement: boolean } | null {
  const ref = named.bookRef(outcomeId)
  return ref === null ? null : { ...ref, bookId: bookIdOf(ref.bookId) }
}

/** The book of a slug or of a pool's address. */
export const bookIdOf = (name: string): string => name + sides.yes

/**
 * The venue's name for an outcome's book: a slug, or a pool's address. Null for anything but an outcome of this venue.
 */
export const nameOf = (outcomeId: string): string | null => named.bookRef(outcomeId)?.bookId ?? null

/** Whether an outcome's book is that of a pool. */
export function isPoolBook(outcomeId: string): boolean {
  const name = nameOf(outcomeId)
  return name !== null && isPool(name)
}

/** A market by its bare slug or address. */
export const marketBook = (name: string): { bookId: string; complement: false } | null =>
  isSlug(name) ? { bookId: bookIdOf(name), complement: false } : null
