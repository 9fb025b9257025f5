// One game with every market on it.
import { z } from 'zod'
import { FixtureDetail } from '#schemas/sports'
import { defineRoute } from '#server/http/defineRoute'
import { requireFixture } from '../find.ts'
import type { SportsRouteDeps } from '../ports.ts'
import { Meta, metaOf, reliabilityOf, requireSnapshot, rowOf } from '../rows.ts'
import { tagged } from './shapes.ts'

export const getFixture = defineRoute({
  operationId: 'getFixture',
  method: 'get',
  path: '/v1/sports/fixtures/{id}',
  family: 'sports',
  access: { scope: 'read', credits: 1 },
  summary: 'A game with every market that venues list on it, and which result each outcome stands for',
  tag: 'sports',
  params: z.object({ id: z.string() }),
  query: z.strictObject({}),
  data: FixtureDetail,
  topLevelFields: { meta: Meta },
  errors: ['SPORTS_SCREEN_UNAVAILABLE', 'SPORTS_FIXTURE_NOT_FOUND'],
  revalidates: true,
  async handle({ params: { id }, call }, { sports }: SportsRouteDeps) {
    const now = sports.clock.now()
    const snapshot = requireSnapshot(sports)
    const fixture = requireFixture(snapshot, id)
    const entries = (await sports.mirror.entries([id])).get(id) ?? []
    const reliability = reliabilityOf(snapshot, [fixture], now, [])
    const placements = entries.map(({ outcomes, ...rest }) => ({
      ...rest,
      outcomes: outcomes.map(({ outcomeId, result }) => ({ outcomeId, outcome: result })),
    }))
    const meta = metaOf(snapshot, reliability, fixture.builtAt)
    return tagged(
      ['getFixture', id],
      { ...rowOf(fixture, now, reliability), placements },
      { meta },
      { degraded: meta.degraded, held: call.headers['if-none-match'] },
    )
  },
})
