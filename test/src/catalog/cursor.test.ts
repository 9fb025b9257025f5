import { describe, expect, test } from 'vitest'
import type { CatalogFilter, CatalogPosition } from '#catalog/catalog'
import { createCatalogCursors } from '#catalog/cursor'
import { createCursorCodec } from '#lib/cursor'

const codec = createCursorCodec(Buffer.alloc(32, 3))
const cursors = createCatalogCursors(codec)
const filter: CatalogFilter = { venues: ['kalshi', 'polymarket'], status: 'active', tags: ['a', 'b'] }
const position: CatalogPosition = { sortValue: 0.1 + 0.2, venue: 'kalshi', id: 'KX-1' }
const scope = { sort: 'volume', filter } as const

describe('catalog cursors', () => {
  test('a position comes back exactly, unknown sort values included', () => {
    for (const sortValue of [0.1 + 0.2, 0, null, 1e300, 5e-324]) {
      const text = cursors.encode('markets', scope, { ...position, sortValue })
      expect(cursors.decode('markets', scope, text)).toEqual({ ...position, sortValue })
    }
  })

  test('the order in which venues and tags are named does not matter', () => {
    const text = cursors.encode('markets', scope, position)
    const same = {
      sort: 'volume',
      filter: { tags: ['b', 'a'], status: 'active', venues: ['polymarket', 'kalshi'] },
    } as const
    expect(cursors.decode('markets', same, text)).toEqual(position)
  })

  test('another list, sort or filter refuses it', () => {
    const text = cursors.encode('markets', scope, position)
    const refused = { code: 'VALIDATION_ERROR' }
    const failure = (work: () => unknown) => {
      try {
        return work()
      } catch (error) {
        return error
      }
    }
    expect(failure(() => cursors.decode('events', scope, text))).toMatchObject(refused)
    expect(failure(() => cursors.decode('markets', { ...scope, sort: 'newest' }, text))).toMatchObject(refused)
    for (const more of [{ status: 'all' }, { venues: ['kalshi'] }, { query: 'x' }, { tags: ['a'] }, { eventId: 'e' }]) {
      const other = { ...scope, filter: { ...filter, ...more } as CatalogFilter }
      expect(failure(() => cursors.decode('markets', other, text))).toMatchObject(refused)
    }
    expect(failure(() => cursors.decode('markets', scope, 'garbage'))).toMatchObject(refused)
  })
})
