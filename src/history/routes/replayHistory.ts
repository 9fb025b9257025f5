// One page of an outcome's tape as NDJSON: the engine's bytes, passed through.
import { z } from 'zod'
import { defineRoute } from '#http/defineRoute'
import { historyFloorOf } from '#http/pipeline'
import type { Clock } from '#lib/clock'
import type { Plans } from '#platform/plans/plans'
import { type ReplayDeps, startReplay } from '../replay.ts'
import { replayKinds, replayResolutions } from '../tape.ts'
import { singleValues } from './singleValues.ts'

export interface HistoryDeps {
  history: ReplayDeps
  plans: Plans
  clock: Clock
}

/** For the documents; the replay itself judges, so that its refusals carry the specification's words. */
const ReplayParameters = z.object({
  venue: z.string().describe('a single served venue; router is refused'),
  outcomeId: z.string().describe('canonical stored id or venue-native id'),
  marketId: z.string().optional(),
  kind: z.enum(replayKinds),
  since: z.string().describe('inclusive; ISO time or epoch ms'),
  until: z.string().describe('inclusive; at most 31 days after since'),
  resolution: z.enum(replayResolutions).optional().describe('required when kind=candles'),
  limit: z.string().optional().describe('default 5000, 1 to 20000'),
  cursor: z.string().optional(),
})

export const replayHistory = defineRoute({
  operationId: 'replayHistory',
  method: 'get',
  path: '/v1/history/replay',
  family: 'history',
  access: { scope: 'read', feature: 'replay', credits: 10 },
  summary:
    'One page of an outcome’s tape: rows as NDJSON, then one cursor line; X-Tape-Since says since when its rows of that kind are taped, or never; X-Tape-Until, where the window reaches beyond it, up to when its trades were read',
  tag: 'history',
  data: null,
  contentType: 'application/x-ndjson',
  documented: { query: ReplayParameters, body: z.undefined() },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'OUTCOME_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'HISTORY_UNAVAILABLE'],
  async handle({ query, principal, call }, { history, plans, clock }: HistoryDeps) {
    const historyFloorMs = historyFloorOf(plans, principal!, clock.now())
    const { chunks, tapedSince, tapedUntil } = await startReplay(
      history,
      singleValues(ReplayParameters, query),
      { historyFloorMs },
      call.signal,
    )
    const headers = {
      ...(tapedSince === null ? {} : { 'x-tape-since': tapedSince }),
      ...(tapedUntil === null ? {} : { 'x-tape-until': tapedUntil }),
    }
    return { raw: { contentType: 'application/x-ndjson', body: chunks }, headers }
  },
})
