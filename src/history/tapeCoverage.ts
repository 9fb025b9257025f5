// Coverage of outcomes: since when, up to when, and where rows may be missing.
//
//   completeUntil = how far its writers are, or the beginning of the gap that lasts if that is earlier
import type { CoverageGap, RecordedCoverage } from '#schemas/history'
import { coverageGapsMax } from '#schemas/history'
import type { Coverage } from '#schemas/market'
import { feedsBook } from '#schemas/parts'
import { takeoverMarker } from '#schemas/topics'
import { findExpired } from '#storage/clickhouse/retention'
import { findWatermark } from '#storage/clickhouse/watermark'
import { type BookOf, recordedOutcomeId, unmirroredBooks } from './recordedOutcomeId.ts'
import { retainedSince, retentionGaps } from './retentionGaps.ts'
import { type CoverageLine, coverageOf, findCoverageSql, hashOutcomes } from './statements/coverage.ts'
import { findGapEventsSql, type Gap, type GapEvent, gapEventsMax, gapsOf, overlaps } from './statements/gaps.ts'
import { type TapeReads, withDeadline } from './tapeReads.ts'

export interface CoverageWindow {
  sinceMs: number
  untilMs: number
}

export interface TapeCoverage {
  /** Up to when everything received is on the tape, epoch ms; null: no writer has reported. */
  watermark(nowMs: number): Promise<number | null>
  /** Up to when stretches of the surface may have expired, epoch ms; null: none ever did. */
  arbitrageExpired(): Promise<number | null>
  /** A venue's outcomes as the tape names them, ordered by id, strictly after one. */
  outcomesAfter(venue: string, after: string, limit: number): Promise<string[]>
  /** Null if the tape never covered it. */
  find(
    venue: string,
    outcomeId: string,
    marketId: string | undefined,
    window: CoverageWindow,
    nowMs: number,
  ): Promise<RecordedCoverage | null>
  /** By tape ids. */
  findAll(
    venue: string,
    outcomeIds: readonly string[],
    window: CoverageWindow,
    nowMs: number,
  ): Promise<RecordedCoverage[]>
  /** Gaps of one outcome that overlap the window, oldest first. */
  gaps(venue: string, outcomeId: string, marketId: string | undefined, window: CoverageWindow): Promise<Gap[]>
}

const dayMs = 86_400_000

/** Null: not known. */
const earlier = (from: number | null, watermark: number | null): number | null =>
  from === null || watermark === null ? from : Math.min(from, watermark)

/** The last row before each of these times, which rise. */
const lastRowsSql = `
SELECT arrayFirst(bound -> recv < bound, arrayMap(bound -> toUInt64(bound), {bounds:Array(String)})) AS bound, max(recv) AS last
FROM (SELECT toInt64(ts) + recv_delay AS recv FROM top_of_book WHERE venue = {venue:String} AND outcome_id = {outcomeId:String})
WHERE recv < {newest:UInt64}
GROUP BY bound FORMAT JSONEachRow`

const outcomesAfterSql = `
SELECT DISTINCT outcome_id AS outcomeId FROM coverage
WHERE venue = {venue:String} AND outcome_id > {after:String}
ORDER BY outcomeId LIMIT {limit:UInt32} FORMAT JSONEachRow`

export function createTapeCoverage(store: TapeReads, bookOf: BookOf = unmirroredBooks): TapeCoverage {
  const reads = withDeadline(store)

  async function eventsOf(venue: string, outcomeIds: readonly string[], untilMs: number) {
    const parameters = { venue, outcomeIds: [takeoverMarker, ...outcomeIds], until: untilMs, limit: gapEventsMax }
    const all = await reads.rows<GapEvent>(findGapEventsSql, parameters)
    const byOutcome = Map.groupBy(all, ({ outcomeId }) => outcomeId)
    /** Part, or '' for the whole venue → when an owner last took it over. */
    const takings = new Map((byOutcome.get(takeoverMarker) ?? []).map(({ reason, at }) => [reason ?? '', at]))
    return {
      of: (outcomeId: string) => byOutcome.get(outcomeId) ?? [],
      takenAt: (outcomeId: string) => lastTaken(takings, outcomeId),
      isCut: all.length === gapEventsMax,
    }
  }

  async function findAll(
    venue: string,
    outcomeIds: readonly string[],
    { sinceMs, untilMs }: CoverageWindow,
    nowMs: number,
  ): Promise<RecordedCoverage[]> {
    if (outcomeIds.length === 0) return []
    const [lines, events, watermark, expired] = await Promise.all([
      reads.rows<CoverageLine>(findCoverageSql, {
        ...{ venue, outcomeIds, hashes: hashOutcomes(outcomeIds), now: nowMs, dayAgo: nowMs - dayMs },
      }),
      // Read up to now, because an ongoing gap determines up to when the tape is complete.
      eventsOf(venue, outcomeIds, nowMs),
      findWatermark(reads, nowMs),
      findExpired(reads),
    ])
    const taped = await Promise.all(
      lines.map(async (line): Promise<RecordedCoverage> => {
        const { outcomeId } = line
        const gaps = await sinceLastRow(venue, outcomeId, gapsOf(events.of(outcomeId), events.takenAt(outcomeId)))
        const last = gaps.at(-1)
        const until = last !== undefined && last.to === null ? earlier(last.from, watermark) : watermark
        const inWindow = (gap: Gap): boolean => overlaps(gap, sinceMs, untilMs)
        const touching = gaps.filter(inWindow)
        const expiredGaps = retentionGaps(line, expired).filter(inWindow)
        return {
          venue,
          outcomeId: line.outcomeId,
          ...summaryOf(coverageOf(retainedSince(line, expired))),
          depthSince: isoOf(retainedSince(line, expired).depthSince || null),
          completeUntil: isoOf(until),
          gaps: [...expiredGaps, ...touching.slice(expiredGaps.length - coverageGapsMax)].map(gapOf),
          gapsTruncated: expiredGaps.length + touching.length > coverageGapsMax || events.isCut,
        }
      }),
    )
    return taped.sort((a, b) => (a.outcomeId < b.outcomeId ? -1 : 1))
  }

  /** An unrecorded gap begins no earlier than the last row before its end. */
  async function sinceLastRow(venue: string, outcomeId: string, gaps: readonly Gap[]): Promise<Gap[]> {
    const bounds = gaps.flatMap(({ isUnrecorded, to }) => (isUnrecorded && to !== null ? [to] : []))
    const newest = bounds.at(-1)
    if (newest === undefined) return [...gaps]
    const parameters = { venue, outcomeId, bounds: bounds.map(String), newest }
    const rows = await reads.rows<{ bound: number; last: number }>(lastRowsSql, parameters)
    const lastRow = new Map(rows.map(({ bound, last }) => [bound, last]))
    return gaps.map(({ isUnrecorded, ...gap }) =>
      isUnrecorded ? { ...gap, from: Math.max(gap.from ?? 0, lastRow.get(gap.to ?? 0) ?? 0) } : gap,
    )
  }

  const bookIdOf = (venue: string, outcomeId: string, marketId: string | undefined): string =>
    recordedOutcomeId(bookOf, venue, [outcomeId], marketId).outcomeIds[0] as string

  return {
    watermark: (nowMs) => findWatermark(reads, nowMs),
    arbitrageExpired: async () => (await findExpired(reads)).get('arbitrage') ?? null,
    findAll,
    async outcomesAfter(venue, after, limit) {
      const rows = await reads.rows<{ outcomeId: string }>(outcomesAfterSql, { venue, after, limit })
      return rows.map(({ outcomeId }) => outcomeId)
    },
    async find(venue, outcomeId, marketId, window, nowMs) {
      const [found] = await findAll(venue, [bookIdOf(venue, outcomeId, marketId)], window, nowMs)
      return found === undefined ? null : { ...found, outcomeId }
    },
    async gaps(venue, outcomeId, marketId, { sinceMs, untilMs }) {
      const bookId = bookIdOf(venue, outcomeId, marketId)
      const [recorded, expired] = await Promise.all([eventsOf(venue, [bookId], untilMs), findExpired(reads)])
      const events = recorded.of(bookId)
      const since = events[0]?.at
      // An outcome that was never taped has nothing to expire.
      const expiredGaps =
        since === undefined ? [] : retentionGaps({ since, tradesSince: since, depthSince: since }, expired)
      const gaps = await sinceLastRow(venue, bookId, gapsOf(events, recorded.takenAt(bookId)))
      return [...expiredGaps, ...gaps].filter((gap) => overlaps(gap, sinceMs, untilMs))
    },
  }
}

/** Null: never. */
function lastTaken(takings: ReadonlyMap<string, number>, outcomeId: string): number | null {
  let last: number | null = null
  for (const [part, at] of takings) if (part === '' || feedsBook(part)(outcomeId)) last = Math.max(last ?? 0, at)
  return last
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const gapOf = ({ kind, from, to, reason }: Gap): CoverageGap => ({ kind, from: isoOf(from), to: isoOf(to), reason })

const summaryOf = ({ mechanism, effectiveIntervalMs, tapeSince, tradesSince, tradesUntil }: Coverage) => ({
  mechanism,
  effectiveIntervalMs,
  tapeSince: tapeSince!,
  tradesSince,
  tradesUntil,
})
