// The history of the arbitrage surface, stretch by stretch, as NDJSON.
import { z } from 'zod'
import { ArbitrageReplayLine } from '#schemas/history'
import { defineRoute } from '#server/http/defineRoute'
import { encodedBody } from '#server/http/encodeBody'
import { historyFloorOf } from '#server/http/pipeline'
import { startArbitrageHistory } from '../arbitrageHistory.ts'
import type { HistoryDeps } from './replayHistory.ts'
import { BookInstant, singleValues } from './singleValues.ts'

const Parameters = z.object({
  since: BookInstant.describe('inclusive, by the time a stretch began; ISO time or epoch ms'),
  until: BookInstant.describe('inclusive; at most 31 days after since'),
  venue: z.string().optional().describe('either leg'),
  clusterId: z.string().optional().describe('a base cluster, or one ordered pair <clusterId>:<venueA>:<venueB>'),
  limit: z.string().optional().describe('default 5000, 1 to 20000'),
  cursor: z.string().optional(),
})

export const replayArbitrage = defineRoute({
  operationId: 'replayArbitrage',
  method: 'get',
  path: '/v1/history/arbitrage',
  family: 'history',
  access: { scope: 'read', feature: 'arbitrage', credits: 10 },
  heavy: true,
  summary: 'Stretches in which a row of the arbitrage surface was executable: rows as NDJSON, then one cursor line',
  tag: 'history',
  data: null,
  contentType: 'application/x-ndjson',
  media: {
    'application/x-ndjson': { line: ArbitrageReplayLine, words: 'Stretches, one per line, then one cursor line' },
  },
  headers: { 'X-Tape-Since': 'If the window begins before it: older stretches are past their retention' },
  documented: { query: Parameters, body: z.undefined() },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'HISTORY_UNAVAILABLE'],
  async handle({ query, principal, call }, { history, plans, clock }: HistoryDeps) {
    const historyFloorMs = historyFloorOf(plans, principal!, clock.now())
    const { chunks, sinceMs } = await startArbitrageHistory(
      history,
      singleValues(Parameters, query),
      { historyFloorMs },
      call.signal,
    )
    // Read after the page, so that what expired meanwhile is reported too.
    const expired = await history.coverage.arbitrageExpired()
    const isCut = expired !== null && sinceMs < expired
    const body = encodedBody(call, chunks)
    const headers = { ...body.headers, ...(isCut && { 'x-tape-since': new Date(expired).toISOString() }) }
    return { raw: { contentType: 'application/x-ndjson', body: body.chunks }, headers }
  },
})
