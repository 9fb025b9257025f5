// One bet type on many games: the best price for each result, and every venue's.

import { z } from 'zod'
import { Page } from '#schemas/envelope'
import { FixtureRow } from '#schemas/sports'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { SportsRouteDeps } from '../ports.ts'
import { catalogsOf, Meta, metaOf, reliabilityOf, requireSnapshot, rowOf } from '../rows.ts'
import { BookReader, entriesOf, mainLine, screenOf } from '../sportsBoard.ts'
import { block, Cursor, cursorOf, filterOf, filters, Line, tagged, window } from './shapes.ts'

const limitDefault = 20
/** Larger limits are capped at this: every row reads the books of all venues. */
const limitMax = 50

export const getSportsScreen = defineRoute({
  operationId: 'getSportsScreen',
  method: 'get',
  path: '/v1/sports/screen',
  family: 'sports',
  access: { scope: 'read', credits: 5 },
  heavy: true,
  summary:
    'Games that have one kind of bet, with the best price for each of its results and every venue’s, from live books',
  tag: 'sports',
  query: z.strictObject({
    ...filters,
    ...window,
    ...block,
    line: Line,
    limit: clampedLimit(limitDefault, limitMax),
    cursor: Cursor,
  }),
  data: z.array(FixtureRow),
  topLevelFields: { meta: Meta, page: Page, nextCursor: z.string().nullable() },
  errors: ['SPORTS_SCREEN_UNAVAILABLE', 'EXCHANGE_NOT_AVAILABLE'],
  revalidates: true,
  async handle({ query, call }, { sports }: SportsRouteDeps) {
    const now = sports.clock.now()
    const { limit, cursor, line, marketType, period, slot, ...filterQuery } = query
    const wanted = { marketType, period, slot }
    const filter = { ...filterOf(filterQuery, now), block: { ...wanted, line } }
    const snapshot = requireSnapshot(sports)
    const found = snapshot.index.find(filter, now, limit + 1, cursor ?? null)
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1)! : null
    const nextCursor = last === null ? null : cursorOf({ sortAt: last.sortAt, fixtureId: last.head.fixtureId })
    const entries = await sports.mirror.entries(page.map(({ head }) => head.fixtureId))
    const reliability = reliabilityOf(snapshot, page, now, catalogsOf(sports, filter))
    const books = new BookReader(sports.quotes)
    const rows = page.map((fixture) => {
      const members = entriesOf(entries.get(fixture.head.fixtureId) ?? [], wanted)
      const market = screenOf(fixture.head, wanted, line ?? mainLine(members), members, books)
      return { ...rowOf(fixture, now, reliability), market }
    })
    const siblings = {
      meta: metaOf(snapshot, reliability, books.oldest),
      page: { limit, hasMore: nextCursor !== null, nextCursor },
      nextCursor,
    }
    return tagged(['getSportsScreen', query], rows, siblings, {
      degraded: siblings.meta.degraded,
      held: call.headers['if-none-match'],
    })
  },
})
