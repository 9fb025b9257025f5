// Catalog positions as the opaque cursor a client holds. It opens only for the same list with the same sort and filter.
import { z } from 'zod'
import { bindOf, type CursorCodec } from '#lib/cursor'
import { Fault } from '#lib/fault'
import type { CatalogPosition, CatalogQuery } from './catalog.ts'

export type CatalogCursorKind = 'markets' | 'events'
/** What a cursor is bound to. The page size is not: a reader may change it on the way. */
export type CatalogCursorScope = Pick<CatalogQuery, 'sort' | 'filter'>

export interface CatalogCursors {
  encode(kind: CatalogCursorKind, scope: CatalogCursorScope, position: CatalogPosition): string
  /** Throws `VALIDATION_ERROR` for anything that `encode` did not print for the same kind and scope. */
  decode(kind: CatalogCursorKind, scope: CatalogCursorScope, cursor: string): CatalogPosition
}

const Position = z.tuple([z.union([z.number(), z.string(), z.null()]), z.string(), z.string()])

export function createCatalogCursors(codec: CursorCodec): CatalogCursors {
  const bind = ({ sort, filter }: CatalogCursorScope) =>
    bindOf({
      sort,
      filter: { ...filter, venues: [...filter.venues].sort(), tags: filter.tags && [...filter.tags].sort() },
    })
  return {
    encode: (kind, scope, { sortValue, venue, id }) =>
      codec.encode(`catalog.${kind}`, bind(scope), [sortValue, venue, id]),
    decode(kind, scope, cursor) {
      const position = Position.safeParse(codec.decode(`catalog.${kind}`, bind(scope), cursor))
      // Signed by us, yet not what we sign: an older version of this program did.
      if (!position.success)
        throw new Fault('VALIDATION_ERROR', 'cursor is from another version: start again without it')
      const [sortValue, venue, id] = position.data
      return { sortValue, venue, id }
    },
  }
}
