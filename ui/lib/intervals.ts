// Stretches in which a row could be bought, as a line over a window of time. Pure.
import { republishMs } from '#arbitrage/opportunityHistory'

/** A line of `GET /v1/history/arbitrage`. Times are epoch ms. */
export interface Stretch {
  firstSeen: number
  lastSeen: number
  ended: boolean
  bestEdge: number
}

/** A stretch that lasts is told again every `republishMs`: one that was not is over, and a process that ended without notice did not say when. */
export const lasts = ({ ended, lastSeen }: Stretch, nowMs: number): boolean =>
  !ended && nowMs - lastSeen < missedRetells * republishMs

const missedRetells = 4

/** `value` null: nothing stands there. */
export interface LinePoint {
  at: number
  value: number | null
}

/** At even steps, as charts want it: the best edge of the stretches that touch a step; null where it could not be bought. */
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
