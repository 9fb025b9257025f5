// GET /v1/history/arbitrage: stretches of the surface as NDJSON, closed by exactly one cursor line, as in replay.
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { withCursorLine } from './formats.ts'
import { positionOf, type ReplayDeps, type ReplayOptions } from './replay.ts'
import { parseId, parseLimit, parseVenue, parseWindow } from './replayParams.ts'

/** As in the query string; all may be missing. */
export type ArbitrageHistoryParams = Partial<
  Record<'since' | 'until' | 'venue' | 'clusterId' | 'limit' | 'cursor', string>
>

const kind = 'history:arbitrage'

/** Validates everything before it resolves. */
export async function startArbitrageHistory(
  { tape, cursors }: Pick<ReplayDeps, 'tape' | 'cursors'>,
  params: ArbitrageHistoryParams,
  { historyFloorMs }: ReplayOptions,
  signal: AbortSignal,
): Promise<{ chunks: AsyncIterable<Uint8Array>; sinceMs: number }> {
  const { sinceMs, untilMs } = parseWindow(params)
  const venue = params.venue === undefined ? null : parseVenue(params.venue)
  const clusterId = params.clusterId === undefined ? null : parseId('clusterId', params.clusterId)
  const limit = parseLimit(params.limit)
  if (historyFloorMs !== null && sinceMs < historyFloorMs) {
    throw new Fault('PLAN_REQUIRED', 'since is before the history this plan includes')
  }
  const bind = cursorBinding({ venue, clusterId, sinceMs, untilMs })
  const after = params.cursor === undefined ? null : positionOf(cursors.decode(kind, bind, params.cursor))
  const page = await tape.replayArbitrage({ sinceMs, untilMs, venue, clusterId, limit, after, signal })
  const chunks = withCursorLine(page, (position) => cursors.encode(kind, bind, [position.ts, position.tie]))
  return { chunks, sinceMs }
}
