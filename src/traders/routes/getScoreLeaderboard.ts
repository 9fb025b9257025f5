// Wallets of all venues by our score.

import { z } from 'zod'
import { TraderScore } from '#schemas/traders'
import { defineRoute } from '#server/http/defineRoute'
import { acrossVenues } from '../disclaimers.ts'
import type { TradersRouteDeps } from '../traders.ts'
import { feedVenues } from '../venue.ts'
import { scoreBoard } from './scoreBoard.ts'
import { Limit, metaSchema } from './shapes.ts'

export const getScoreLeaderboard = defineRoute({
  operationId: 'getScoreLeaderboard',
  method: 'get',
  path: '/v1/traders/leaderboard',
  family: 'traders',
  access: { scope: 'read', credits: 2 },
  summary: 'Wallets of all venues by score, each with its venue; by score only, over all time',
  tag: 'traders',
  query: z.object({ by: z.literal('score').default('score'), window: z.literal('all').default('all'), limit: Limit }),
  data: z.array(TraderScore),
  topLevelFields: metaSchema,
  errors: ['HISTORY_UNAVAILABLE'],
  handle: ({ query: { limit } }, { traders }: TradersRouteDeps) =>
    scoreBoard(traders, feedVenues(traders.venues), limit, [acrossVenues]),
})
