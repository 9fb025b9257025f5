// Games of all venues by kickoff.
import { z } from 'zod'
import { Page } from '#schemas/envelope'
import { FixtureRow } from '#schemas/sports'
import { defineRoute } from '#server/http/defineRoute'
import type { SportsRouteDeps } from '../ports.ts'
import { catalogsOf, Meta, metaOf, reliabilityOf, requireSnapshot, rowOf } from '../rows.ts'
import { Cursor, cursorOf, filterOf, filters, Limit, tagged, window } from './shapes.ts'

export const listFixtures = defineRoute({
  operationId: 'listFixtures',
  method: 'get',
  path: '/v1/sports/fixtures',
  family: 'sports',
  access: { scope: 'read', credits: 1, rowsPerCredit: 100 },
  heavy: true,
  summary: 'Games of all venues by kickoff, and the bets on each; pass nextCursor back as cursor',
  tag: 'sports',
  query: z.strictObject({ ...filters, ...window, limit: Limit, cursor: Cursor }),
  data: z.array(FixtureRow),
  topLevelFields: { meta: Meta, page: Page, nextCursor: z.string().nullable() },
  errors: ['SPORTS_SCREEN_UNAVAILABLE', 'EXCHANGE_NOT_AVAILABLE'],
  revalidates: true,
  handle({ query, call }, { sports }: SportsRouteDeps) {
    const now = sports.clock.now()
    const { limit, cursor, ...filterQuery } = query
    const filter = filterOf(filterQuery, now)
    const snapshot = requireSnapshot(sports)
    const found = snapshot.index.find(filter, now, limit + 1, cursor ?? null)
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1)! : null
    const nextCursor = last === null ? null : cursorOf({ sortAt: last.sortAt, fixtureId: last.head.fixtureId })
    const reliability = reliabilityOf(snapshot, page, now, catalogsOf(sports, filter))
    const siblings = {
      meta: metaOf(snapshot, reliability, null),
      page: { limit, hasMore: nextCursor !== null, nextCursor },
      nextCursor,
    }
    return tagged(
      ['listFixtures', query],
      page.map((fixture) => rowOf(fixture, now, reliability)),
      siblings,
      { degraded: siblings.meta.degraded, held: call.headers['if-none-match'] },
    )
  },
})
