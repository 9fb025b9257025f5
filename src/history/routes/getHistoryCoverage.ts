// What the tape covers: gaps of one outcome, or of a venue's outcomes page by page, and the watermark up to which everything
// is written.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { coverageLimitDefault, coverageLimitMax, OutcomeCoverage } from '#schemas/history'
import { defineRoute } from '#server/http/defineRoute'
import { historyFloorOf } from '#server/http/pipeline'
import { queryWhole } from '#server/http/queryNumbers'
import { VenueName } from '#server/http/venueName'
import { parseId, parseTimes } from '../replayParams.ts'
import { resolveOutcome } from '../resolveOutcome.ts'
import { nameOutcomes } from '../resolveOutcomeNames.ts'
import type { CoverageWindow } from '../tapeCoverage.ts'
import type { CoverageDeps } from './deps.ts'
import type { HistoryDeps } from './replayHistory.ts'
import { BookInstant } from './singleValues.ts'

const cursorKind = 'historyCoverage'
const dayMs = 86_400_000

const Query = z.strictObject({
  venue: VenueName,
  outcomeId: z.string().optional().describe('only this outcome; canonical or venue-native id'),
  marketId: z.string().optional().describe('with outcomeId, where that names several'),
  since: BookInstant.optional().describe('inclusive; ISO time or epoch ms; default a day before until'),
  until: BookInstant.optional().describe('inclusive, at most 31 days after since; default now'),
  limit: queryWhole({ min: 1, max: coverageLimitMax }).default(coverageLimitDefault),
  cursor: z.string().min(1).optional().describe('opaque, from nextCursor'),
})

export const getHistoryCoverage = defineRoute({
  operationId: 'getHistoryCoverage',
  method: 'get',
  path: '/v1/history/coverage',
  family: 'history',
  access: { scope: 'read', feature: 'replay', credits: 2 },
  heavy: true,
  summary:
    'Gaps of the tape, of one outcome or of a venue’s outcomes in id order; everything received by meta.completeUntil is on it',
  tag: 'history',
  query: Query,
  data: z.array(OutcomeCoverage),
  topLevelFields: {
    asOf: z.iso.datetime(),
    meta: z.object({
      completeUntil: z.iso.datetime().nullable(),
      since: z.iso.datetime(),
      until: z.iso.datetime(),
      nextCursor: z.string().optional(),
    }),
    nextCursor: NextCursor,
  },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'OUTCOME_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'HISTORY_UNAVAILABLE'],
  async handle({ query, principal }, { history, plans, clock }: HistoryDeps) {
    const { venue, limit } = query
    if (!history.serves(venue)) throw new Fault('EXCHANGE_NOT_AVAILABLE', `exchange ${venue} is not available`)
    const now = clock.now()
    const until = query.until ?? String(now)
    const window = parseTimes({ since: query.since ?? ((untilMs) => untilMs - dayMs), until })
    const floorMs = historyFloorOf(plans, principal!, now)
    if (floorMs !== null && window.sinceMs < floorMs)
      throw new Fault('PLAN_REQUIRED', 'since is before the history this plan includes')
    const found = await (query.outcomeId === undefined
      ? listed(history, query, window, limit, now)
      : ofOutcome(history, query, query.outcomeId, window, now))
    // Read last: no outcome is complete further than the tape.
    const completeMs = await history.coverage.watermark(now)
    const meta = {
      completeUntil: completeMs === null ? null : new Date(completeMs).toISOString(),
      since: new Date(window.sinceMs).toISOString(),
      until: new Date(window.untilMs).toISOString(),
    }
    const nextCursor = found.nextCursor === null ? {} : { nextCursor: found.nextCursor }
    return {
      data: found.outcomes,
      siblings: { asOf: new Date(now).toISOString(), meta: { ...meta, ...nextCursor }, ...nextCursor },
    }
  },
})

interface Found {
  outcomes: OutcomeCoverage[]
  nextCursor: string | null
}
type CoverageQuery = z.output<typeof Query>

async function ofOutcome(
  { coverage, catalog }: CoverageDeps,
  { venue, marketId, cursor }: CoverageQuery,
  outcomeId: string,
  window: CoverageWindow,
  now: number,
): Promise<Found> {
  if (cursor !== undefined) throw new Fault('VALIDATION_ERROR', 'cursor: one outcome has no pages')
  const outcome = {
    venue,
    outcomeId: parseId('outcomeId', outcomeId),
    marketId: marketId === undefined ? null : parseId('marketId', marketId),
  }
  const resolved = await resolveOutcome(catalog, outcome)
  const canonical = { outcomeId: resolved.outcomeIds[0]!, marketId: resolved.marketId }
  const one = await coverage.find(venue, canonical.outcomeId, canonical.marketId, window, now)
  if (one === null) return { outcomes: [], nextCursor: null }
  const market = (await nameOutcomes(catalog, venue, [canonical])).get(canonical.outcomeId) ?? null
  return { outcomes: [{ ...one, outcomeId, market }], nextCursor: null }
}

async function listed(
  { coverage, catalog, cursors }: CoverageDeps,
  { venue, marketId, cursor }: CoverageQuery,
  window: CoverageWindow,
  limit: number,
  now: number,
): Promise<Found> {
  if (marketId !== undefined) throw new Fault('VALIDATION_ERROR', 'marketId: is used with outcomeId only')
  const bind = cursorBinding({ venue })
  const after = cursor === undefined ? '' : String(cursors.decode(cursorKind, bind, cursor))
  const ids = await coverage.outcomesAfter(venue, after, limit + 1)
  const page = ids.slice(0, limit)
  const nextCursor = ids.length > limit ? cursors.encode(cursorKind, bind, page.at(-1)) : null
  const [taped, names] = await Promise.all([
    coverage.findAll(venue, page, window, now),
    nameOutcomes(
      catalog,
      venue,
      page.map((outcomeId) => ({ outcomeId })),
    ),
  ])
  return { outcomes: taped.map((one) => ({ ...one, market: names.get(one.outcomeId) ?? null })), nextCursor }
}
