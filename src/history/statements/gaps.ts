// Where the tape of an outcome may lack rows, folded from its coverage events. The engine filters out events that change nothing (another pace,
// trades that were read), so the input is about as long as the list of gaps.
import type { CoverageGap } from '#schemas/history'
import { writerEnded } from '#schemas/topics'

/** Events per answer; outcomes beyond are reported as truncated. */
export const gapEventsMax = 50_000

export const findGapEventsSql = `
SELECT outcome_id AS outcomeId, at, toString(kind) AS kind, reason
FROM (
  SELECT outcome_id, at, kind, reason,
    lagInFrame(toInt8(kind)) OVER (PARTITION BY outcome_id ORDER BY at, kind) AS before
  FROM (
    SELECT DISTINCT outcome_id, at, kind, reason
    FROM coverage
    WHERE venue = {venue:String} AND outcome_id IN {outcomeIds:Array(String)} AND at <= {until:UInt64}
  )
)
WHERE NOT (kind = 'resumed' AND before IN (1, 3))
ORDER BY outcomeId, at, kind
LIMIT {limit:UInt32}
FORMAT JSONEachRow`

export interface GapEvent {
  outcomeId: string
  at: number
  kind: 'opened' | 'gap' | 'resumed' | 'closed'
  reason: string | null
}

/** In milliseconds. */
export interface Gap {
  kind: CoverageGap['kind']
  /** Of an unrecorded gap (`isUnrecorded`): the last coverage event before; rows may lie behind it. */
  from: number | null
  to: number | null
  reason: string | null
  /** It is known only from later events. */
  isUnrecorded?: true
}

const unwatched = 'not watched since its writer ended'

/** Of one outcome, in order. `takenAt`: when an owner last took over the venue, or the outcome's part of it; null: never. */
export function gapsOf(
  events: readonly Pick<GapEvent, 'at' | 'kind' | 'reason'>[],
  takenAt: number | null = null,
): Gap[] {
  const gaps: Gap[] = []
  let open: Gap | null = null
  let isLive = false
  let lastAt: number | null = null
  const unrecorded = (to: number): Gap => ({ kind: 'gap', from: lastAt, to, reason: writerEnded, isUnrecorded: true })
  for (const { at, kind, reason } of events) {
    if (kind === 'opened' && isLive) gaps.push(unrecorded(at))
    const goesOn: boolean = kind === 'gap' && open?.kind === 'gap'
    if (open !== null && !goesOn) {
      open.to = at
      gaps.push(open)
      open = null
    }
    isLive = kind === 'opened' || kind === 'resumed'
    if (!isLive && !goesOn) open = { kind: kind === 'gap' ? 'gap' : 'closed', from: at, to: null, reason }
    lastAt = at
  }
  if (takenAt === null || lastAt === null || lastAt >= takenAt) return open === null ? gaps : [...gaps, open]
  const isLeft: boolean = open?.kind === 'gap' && open.reason === writerEnded
  if (isLive) gaps.push(unrecorded(takenAt))
  else if (open !== null && isLeft) gaps.push({ ...open, to: takenAt })
  if (isLive || isLeft) open = { kind: 'closed', from: takenAt, to: null, reason: unwatched }
  return open === null ? gaps : [...gaps, open]
}

export const overlaps = ({ from, to }: Gap, sinceMs: number, untilMs: number): boolean =>
  (to ?? Number.POSITIVE_INFINITY) >= sinceMs && (from ?? to ?? 0) <= untilMs
