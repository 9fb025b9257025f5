// Coverage of some outcomes, folded from their coverage events. A duplicated event counts once. A second `opened` without a `closed`
// between means that the process which opened the first died without closing it: a gap that could not be recorded, known only by its
// end. An owner that takes over a part of a venue concerns the outcomes of that part alone (`schemas/parts.ts`), under every division that ever was.
import type { Coverage } from '#schemas/market'
import { stableHash } from '#schemas/stableHash'
import { recordsDepth, recordsTrades, takeoverMarker } from '#schemas/topics'
import { feedsTrades } from './feedTrades.ts'

export interface CoverageLine {
  outcomeId: string
  mechanism: Coverage['mechanism']
  effectiveIntervalMs: number | null
  since: number
  /** 0: never. */
  tradesSince: number
  /** 0: never. */
  depthSince: number
  /** 0: never. */
  tradesUntil: number
  gaps24h: number
  lastGapAt: number
}

/** In addition to the outcomes and times: `hashes` of the outcomes, in their order. */
export const findCoverageSql = `
WITH (
    SELECT groupArray((toUInt32OrZero(splitByChar('/', part)[1]), toUInt32OrZero(splitByChar('/', part)[2]), takenAt))
    FROM (
      SELECT ifNull(reason, '') AS part, max(at) AS takenAt FROM coverage
      WHERE venue = {venue:String} AND outcome_id = '${takeoverMarker}' AND at <= {now:UInt64}
      GROUP BY part
    )
  ) AS takings,
  {hashes:Array(UInt32)}[indexOf({outcomeIds:Array(String)}, t.outcome_id)] AS hash,
  arrayMax(x -> if(x.2 = 0 OR hash % greatest(x.2, 1) + 1 = x.1, x.3, 0), takings) AS taken,
  argMax(t.state, tuple(t.at, t.state)) IN (1, 3) AS isOpen,
  -- By an owner that died, and not watched since.
  isOpen AND max(t.at) < taken AS isAbandoned
SELECT t.outcome_id AS outcomeId,
  argMaxIf(t.mechanism, t.at, t.mechanism != '') AS mechanism,
  argMaxIf(tuple(t.effective_interval_ms), t.at, t.mechanism != '').1 AS effectiveIntervalMs,
  min(t.at) AS since,
  minIf(t.at, ${feedsTrades('t.mechanism')} OR t.reason = '${recordsTrades}') AS tradesSince,
  minIf(t.at, t.reason = '${recordsDepth}') AS depthSince,
  multiIf(
    NOT ${feedsTrades('mechanism')}, maxIf(t.at, ${feedsTrades('t.mechanism')} OR t.reason = '${recordsTrades}'),
    isOpen AND NOT isAbandoned, {now:UInt64},
    max(t.at)
  ) AS tradesUntil,
  toUInt32(uniqExactIf(t.at, t.broken AND t.at > {dayAgo:UInt64}) + (isAbandoned AND taken > {dayAgo:UInt64})) AS gaps24h,
  if(isAbandoned, taken, maxIf(t.at, t.broken)) AS lastGapAt
FROM (
  SELECT outcome_id, at, mechanism, effective_interval_ms, reason, toInt8(kind) AS state,
    lagInFrame(toInt8(kind)) OVER (PARTITION BY outcome_id ORDER BY at, kind) AS before,
    kind = 'gap' OR (kind = 'opened' AND before IN (1, 3)) AS broken
  FROM (
    SELECT DISTINCT outcome_id, at, kind, mechanism, effective_interval_ms, reason
    FROM coverage
    WHERE venue = {venue:String} AND outcome_id IN {outcomeIds:Array(String)}
  )
) AS t
GROUP BY t.outcome_id
HAVING mechanism != ''
FORMAT JSONEachRow`

export const hashOutcomes = (outcomeIds: readonly string[]): number[] => outcomeIds.map(stableHash)

/** Outcomes whose full depth was never taped are absent. */
export const findDepthSinceSql = `
SELECT outcome_id AS outcomeId, min(at) AS since FROM coverage
WHERE venue = {venue:String} AND outcome_id IN {outcomeIds:Array(String)} AND reason = '${recordsDepth}'
GROUP BY outcomeId FORMAT JSONEachRow`

export const coverageOf = (line: CoverageLine): Coverage => ({
  mechanism: line.mechanism,
  tapeSince: new Date(line.since).toISOString(),
  tradesSince: line.tradesSince === 0 ? null : new Date(line.tradesSince).toISOString(),
  tradesUntil: line.tradesUntil === 0 ? null : new Date(line.tradesUntil).toISOString(),
  effectiveIntervalMs: line.effectiveIntervalMs,
  gaps24h: line.gaps24h,
  lastGapAt: line.lastGapAt === 0 ? null : new Date(line.lastGapAt).toISOString(),
})

/** Any coverage event, top of book or trade. */
export const hasOutcomeSql = `
SELECT 1 AS found FROM coverage WHERE venue = {venue:String} AND outcome_id = {outcomeId:String} LIMIT 1
UNION ALL
SELECT 1 AS found FROM top_of_book WHERE venue = {venue:String} AND outcome_id = {outcomeId:String} LIMIT 1
UNION ALL
SELECT 1 AS found FROM trades WHERE venue = {venue:String} AND outcome_id = {outcomeId:String} LIMIT 1
FORMAT JSONEachRow`
