// Ids of outcomes: the market's slug and a side. Both read the slug's single book, which is priced on the long side.
import { ownBook, withOutcomeSuffix } from '../shared/data/binary.ts'
import { Slug } from './wire.ts'

export const isSlug = (text: string): boolean => Slug.safeParse(text).success

export const { idsOf, bookRef } = withOutcomeSuffix({ yes: ':long', no: ':short' }, isSlug)

/** The venue itself knows a book by the bare slug. */
export const marketBook = ownBook(isSlug)
