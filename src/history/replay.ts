// GET /v1/history/replay: one page of an outcome's tape, as NDJSON closed by exactly one cursor line.
//
//   params ─► validated request ─► outcome ids ─► position (cursor) ─► tape page ─► rows … {"k":"cursor","next":…,"rows":N}   or another format
import { type CursorCodec, cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { type Rendered, renderPage } from './formats.ts'
import { type RecordingStart, watermarkWithin } from './recordingStart.ts'
import { parseReplayParams, type ReplayParams, type ReplayRequest } from './replayParams.ts'
import { type OutcomeCatalog, resolveOutcome } from './resolveOutcome.ts'
import type { MarketHistory, ReplayFormat, ReplayPosition, ReplayQuery } from './tape.ts'

export interface ReplayDeps {
  tape: Pick<MarketHistory, 'replay' | 'replayArbitrage' | 'replayParquet'>
  catalog: OutcomeCatalog
  cursors: CursorCodec
  /** Whether this deployment serves the venue. */
  serves(venue: string): boolean
  /** Absent: unknown. */
  tapedSince?: RecordingStart
}

export interface ReplayOptions {
  /** Earliest time the plan may read, epoch ms; null for no limit. */
  historyFloorMs: number | null
}

export interface StartedReplay extends Rendered {
  tapedSince: string | null
  tapedUntil: string | null
}

/** Validates everything before it resolves; after the first chunk a failure can only break the stream. */
export async function startReplay(
  { tape, catalog, cursors, serves, tapedSince }: ReplayDeps,
  params: ReplayParams,
  { historyFloorMs }: ReplayOptions,
  signal: AbortSignal,
): Promise<StartedReplay> {
  const request = parseReplayParams(params)
  if (!serves(request.venue)) throw new Fault('EXCHANGE_NOT_AVAILABLE', `exchange ${request.venue} is not available`)
  if (historyFloorMs !== null && request.sinceMs < historyFloorMs) {
    throw new Fault('PLAN_REQUIRED', 'since is before the history this plan includes')
  }
  const kind = `replay:${request.kind}`
  const bind = bindOfRequest(request)
  const after = request.cursor === null ? null : positionOf(cursors.decode(kind, bind, request.cursor))
  const { outcomeIds, marketId } = await resolveOutcome(catalog, request)
  const { venue, resolution, sinceMs, untilMs, limit } = request
  const recordingStart = tapedSince?.(request.venue, { outcomeId: outcomeIds[0]!, marketId }, request.kind)
  const query = {
    venue,
    outcomeIds,
    marketId,
    kind: request.kind,
    resolution,
    sinceMs,
    untilMs,
    limit,
    after,
    lines: linesOf[request.format],
    signal,
  }
  const page = await tape.replay(query)
  const encode = (position: ReplayPosition): string => cursors.encode(kind, bind, [position.ts, position.tie])
  const rendered = await renderPage(tape, request.format, query, page, encode)
  const span = (await recordingStart) ?? null
  return { ...rendered, tapedSince: span?.since ?? null, tapedUntil: watermarkWithin(span, untilMs) }
}

/** The engine makes a Parquet file itself: only the page's end is needed. */
const linesOf = { ndjson: 'ndjson', csv: 'csv', parquet: null } as const satisfies Record<
  ReplayFormat,
  ReplayQuery['lines']
>

/**
 * A cursor continues the same tape: another venue, outcome, window or resolution is another query. Page size and format may
 * change.
 */
const bindOfRequest = ({ venue, outcomeId, marketId, resolution, sinceMs, untilMs }: ReplayRequest): string =>
  cursorBinding({ venue, outcomeId, marketId, resolution, sinceMs, untilMs })

export function positionOf(value: unknown): ReplayPosition {
  const [ts, tie] = value as [number, string]
  return { ts, tie }
}
