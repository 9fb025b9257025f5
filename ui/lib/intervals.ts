// Periods in which a row was executable, as a line over a time window. Pure.
import { republishMs } from '#arbitrage/opportunityHistory'

/** A line of `GET /v1/history/arbitrage`. Times are epoch ms. */
export interface Stretch {
  firstSeen: number
  lastSeen: number
  ended: boolean
  bestEdge: number
}

/**
 * An open period is sent again every `republishMs`: one that was not has ended, and a process that ended without notice did not report
 * when.
 */
export const lasts = ({ ended, lastSeen }: Stretch, nowMs: number): boolean =>
  !ended && nowMs - lastSeen < missedRetells * republishMs

const missedRetells = 4

/** `value` null: a break in the line. */
export interface LinePoint {
  at: number
  value: number | null
}

/** In even steps, as charts need them: the best edge of the periods that overlap a step; null where the row was not executable. */
export function edgeLine(
  stretches: readonly Stretch[],
  { sinceMs, untilMs }: { sinceMs: number; untilMs: number },
  steps: number,
): LinePoint[] {
  const width = (untilMs - sinceMs) / steps
  return Array.from({ length: steps }, (_, i) => {
    const from = sinceMs + i * width
    const edges = stretches
      .filter(({ firstSeen, lastSeen }) => firstSeen < from + width && lastSeen >= from)
      .map(({ bestEdge }) => bestEdge)
    return { at: from, value: edges.length === 0 ? null : Math.max(...edges) }
  })
}
