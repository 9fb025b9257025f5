// A venue's own ranking, or ours of its wallets.

import { z } from 'zod'
import { Fault } from '#core/fault'
import { LeaderboardWindow, NativeLeader, TraderScore } from '#schemas/traders'
import { defineRoute } from '#server/http/defineRoute'
import { possibleLeader } from '#venues/shared/data/sanityChecks'
import type { VenueLeaderboard } from '#venues/traderData'
import { scoped } from '../disclaimers.ts'
import type { TradersRouteDeps } from '../traders.ts'
import { requireTraderData, supports, venueOf } from '../venue.ts'
import { counted, toTraderRows } from './checkReadable.ts'
import { scoreBoard } from './scoreBoard.ts'
import { answer, Limit, limitMax, metaSchema, VenuePath, venueErrors } from './shapes.ts'

const By = z.enum(['profit', 'volume', 'score'])

export const getTraderLeaderboard = defineRoute({
  operationId: 'getTraderLeaderboard',
  method: 'get',
  path: '/v1/traders/{venue}/leaderboard',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'The venue’s own leaderboard by profit or volume, or its wallets by our score, which covers all time',
  tag: 'traders',
  params: VenuePath,
  query: z.object({ by: By.default('profit'), window: LeaderboardWindow.default('all'), limit: Limit }),
  data: z.array(z.union([NativeLeader, TraderScore])),
  topLevelFields: metaSchema,
  errors: [...venueErrors, 'HISTORY_UNAVAILABLE'],
  async handle({ params, query: { by, window, limit }, principal }, { traders }: TradersRouteDeps) {
    const venue = venueOf(traders.venues, params.venue, principal)
    const able = supports(venue, 'leaderboard')
    const { leaderboard } = able
    if (leaderboard.windows[by]?.includes(window) !== true) {
      throw new Fault('VALIDATION_ERROR', `${venue.slug} has no such ranking: ${rankings(leaderboard)}`, {
        exchange: venue.slug,
      })
    }
    if (by === 'score') return await scoreBoard(traders, [venue.slug], limit)
    requireTraderData(venue, able)
    // The whole ranking is requested once and cached, regardless of the part a caller wants.
    const { answer: board, leftOut } = await traders.reads.requestCached(
      venue,
      `leaderboard ${by} ${window}`,
      counted((context) => leaderboard.fetch(context, { by, window, limit: limitMax })),
      leaderboard.timeoutMs,
    )
    const { rows, notes } = toTraderRows(venue.slug, { answer: board.rows, leftOut }, possibleLeader)
    return answer(rows.slice(0, limit), {
      asOf: board.asOf,
      source: 'venue-rest',
      notes: [...notes, ...able.notes, scoped],
    })
  },
})

const rankings = ({ windows }: VenueLeaderboard): string =>
  Object.entries(windows)
    .map(([by, spans]) => `by=${by} with window=${spans?.join('|')}`)
    .join(', ')
