// Which part of a venue's figures is to be gathered next, and for which day. Pure.
//
// What the venue and the catalog report is for today, and is lost once the day is over. The tape can be counted later, day by day, once the
// day's last trades have been read.
import type { MetricPart, MetricProgress } from '#storage/postgres/venueMetrics/jobLease'

export const dayMs = 86_400_000
const hourMs = 3_600_000
/** Trades read over REST arrive within the hour. */
export const tapeSettlesMs = hourMs
/** Maximum days counted afterwards. */
export const catchUpDaysMax = 31

export interface CollectedMetric {
  part: MetricPart
  /** `YYYY-MM-DD`, UTC. */
  day: string
}

export interface CollectableMetric {
  /** The venue publishes something about itself. */
  isPublished: boolean
  /** First day of the venue on our tape, null: none. Undefined: unknown, or there is no tape. */
  tapedSince?: string | null | undefined
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const later = (a: string, b: string): string => (a > b ? a : b)

/** In gathering order; of the tape only the oldest day. */
export function dueMetrics(
  progress: MetricProgress,
  { isPublished, tapedSince }: CollectableMetric,
  nowMs: number,
): CollectedMetric[] {
  const today = dayOf(nowMs)
  const due: CollectedMetric[] = []
  if (isPublished && isBefore(progress.venue, today)) due.push({ part: 'venue', day: today })
  if (isBefore(progress.catalog, today)) due.push({ part: 'catalog', day: today })
  const day = tapedSince === undefined || tapedSince === null ? null : nextTapeDay(progress.tape, tapedSince, nowMs)
  if (day !== null) due.push({ part: 'tape', day })
  return due
}

/** Whether a day of the tape may be due: before that its start need not be looked up. */
export const isHistoryComplete = ({ tape }: Pick<MetricProgress, 'tape'>, nowMs: number): boolean =>
  isBefore(tape, lastTapeDay(nowMs))

/** Epoch ms: older days are not counted any more. */
export const oldestTapeMs = (nowMs: number): number => startOf(lastTapeDay(nowMs)) - (catchUpDaysMax - 1) * dayMs

/** The last day whose trades have all been read. */
const lastTapeDay = (nowMs: number): string => dayOf(nowMs - tapeSettlesMs - dayMs)

const isBefore = (done: string | null, day: string): boolean => done === null || done < day

function nextTapeDay(done: string | null, tapedSince: string, nowMs: number): string | null {
  const last = lastTapeDay(nowMs)
  const oldest = later(tapedSince, dayOf(oldestTapeMs(nowMs)))
  const next = done === null ? oldest : later(dayOf(startOf(done) + dayMs), oldest)
  return next <= last ? next : null
}

/** Milliseconds until something new can be due: a day begins, or its tape has settled. */
export function nextDueInMs(nowMs: number): number {
  const midnight = startOf(dayOf(nowMs)) + dayMs
  const settled = startOf(dayOf(nowMs - tapeSettlesMs)) + dayMs + tapeSettlesMs
  return Math.max(1, Math.min(midnight, settled) - nowMs)
}
