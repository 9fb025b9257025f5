// One page of an outcome's tape as NDJSON, CSV or Parquet.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import type { Plans } from '#platform/plans/plans'
import { ReplayLine } from '#schemas/history'
import { defineRoute } from '#server/http/defineRoute'
import { encodedBody } from '#server/http/encodeBody'
import { historyFloorOf } from '#server/http/pipeline'
import { columnWords, contentTypes, fieldsOf } from '../formats.ts'
import { type ReplayDeps, startReplay } from '../replay.ts'
import { replayFormats, replayKinds, replayResolutions } from '../tape.ts'
import type { CoverageDeps, FilesDeps } from './deps.ts'
import { BookInstant, singleValues } from './singleValues.ts'

export interface HistoryDeps {
  history: ReplayDeps & CoverageDeps & FilesDeps
  plans: Plans
  clock: Clock
}

/** For the documentation; replay validates itself, so that its errors have the specification's wording. */
const ReplayParameters = z.object({
  venue: z.string().describe('a single served venue; router is rejected'),
  outcomeId: z.string().describe('canonical stored id or venue-native id'),
  marketId: z.string().optional(),
  kind: z
    .enum(replayKinds)
    .describe(
      'l2: full depth, one row per changed level, from the last whole book at or before since; its times are receive times',
    ),
  since: BookInstant.describe('inclusive; ISO time or epoch ms'),
  until: BookInstant.describe('inclusive; at most 31 days after since'),
  resolution: z.enum(replayResolutions).optional().describe('required when kind=candles'),
  limit: z.string().optional().describe('default 5000, 1 to 20000'),
  cursor: z.string().optional(),
  format: z.enum(replayFormats).optional().describe('default ndjson; null is empty in csv; cursors fit every format'),
})

export const replayHistory = defineRoute({
  operationId: 'replayHistory',
  method: 'get',
  path: '/v1/history/replay',
  family: 'history',
  access: { scope: 'read', feature: 'replay', credits: 10 },
  heavy: true,
  summary:
    'One page of an outcome’s tape: rows as NDJSON, then one cursor line, or CSV or Parquet; compressed as Accept-Encoding asks (zstd, gzip)',
  tag: 'history',
  data: null,
  contentType: contentTypes.ndjson,
  media: {
    [contentTypes.ndjson]: { line: ReplayLine, words: 'Rows of the kind, one per line, then one cursor line' },
    'text/csv': { words: `A header line, then rows: ${columnWords(replayKinds, (kind) => fieldsOf[kind])}` },
    [contentTypes.parquet]: {
      binary: true,
      words: 'The columns of CSV, and in every kind venue and outcomeId after ts',
    },
  },
  headers: {
    'X-Tape-Since': 'Since when rows of the kind are taped, or `never`',
    'X-Tape-Until': 'If the window reaches beyond it: up to when trades were read',
    'X-Page-Rows': 'For csv and parquet: rows on the page',
    'X-Next-Cursor': 'For csv and parquet; absent: exhausted',
  },
  documented: { query: ReplayParameters, body: z.undefined() },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'OUTCOME_NOT_FOUND', 'CATALOG_UNAVAILABLE', 'HISTORY_UNAVAILABLE'],
  async handle({ query, principal, call }, { history, plans, clock }: HistoryDeps) {
    const historyFloorMs = historyFloorOf(plans, principal!, clock.now())
    const { contentType, chunks, headers, tapedSince, tapedUntil } = await startReplay(
      history,
      singleValues(ReplayParameters, query),
      { historyFloorMs },
      call.signal,
    )
    // Parquet is already compressed internally, column by column.
    const body = contentType === contentTypes.parquet ? { chunks, headers: {} } : encodedBody(call, chunks)
    const answerHeaders = {
      ...headers,
      ...body.headers,
      ...(tapedSince === null ? {} : { 'x-tape-since': tapedSince }),
      ...(tapedUntil === null ? {} : { 'x-tape-until': tapedUntil }),
    }
    return { raw: { contentType, body: body.chunks }, headers: answerHeaders }
  },
})
