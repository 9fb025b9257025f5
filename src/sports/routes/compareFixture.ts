// One bet type on one game across venues, line by line, with and without their margins.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { Comparison } from '#schemas/sports'
import { defineRoute } from '#server/http/defineRoute'
import { requireFixture } from '../find.ts'
import type { SportsRouteDeps } from '../ports.ts'
import { Meta, metaOf, reliabilityOf, requireSnapshot, rowOf } from '../rows.ts'
import { BookReader, compareLine, entriesOf } from '../sportsBoard.ts'
import { block, Line, tagged } from './shapes.ts'

/** Further lines must be requested individually. */
const linesMax = 40

export const compareFixture = defineRoute({
  operationId: 'compareFixture',
  method: 'get',
  path: '/v1/sports/compare',
  family: 'sports',
  access: { scope: 'read', credits: 2 },
  summary: 'One kind of bet on one game across venues, line by line, with margin-free prices',
  tag: 'sports',
  query: z.strictObject({ fixture: z.string().min(1).max(100), ...block, line: Line }),
  data: Comparison,
  topLevelFields: { meta: Meta },
  errors: ['SPORTS_SCREEN_UNAVAILABLE', 'SPORTS_FIXTURE_NOT_FOUND', 'SPORTS_BLOCK_NOT_FOUND'],
  revalidates: true,
  async handle({ query, call }, { sports }: SportsRouteDeps) {
    const now = sports.clock.now()
    const { fixture: id, line, ...wanted } = query
    const snapshot = requireSnapshot(sports)
    const fixture = requireFixture(snapshot, id)
    const members = entriesOf((await sports.mirror.entries([id])).get(id) ?? [], wanted)
    const all = [...new Set(members.map((each) => each.line))].sort((a, b) => (a ?? 0) - (b ?? 0))
    const lines = (line === undefined ? all : all.filter((each) => each === line)).slice(0, linesMax)
    if (lines.length === 0) throw new Fault('SPORTS_BLOCK_NOT_FOUND', 'no venue lists this bet on the fixture')
    const books = new BookReader(sports.quotes)
    const compared = lines.map((each) => compareLine(fixture.head, wanted, each, members, books))
    const reliability = reliabilityOf(snapshot, [fixture], now, [])
    const meta = metaOf(snapshot, reliability, books.oldest ?? fixture.builtAt)
    return tagged(
      ['compareFixture', query],
      { fixture: rowOf(fixture, now, reliability), ...wanted, method: 'proportional', lines: compared },
      { meta },
      { degraded: meta.degraded, held: call.headers['if-none-match'] },
    )
  },
})
