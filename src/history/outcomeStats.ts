// Facts about outcomes derived from the tape: price changes and coverage, for reads that enrich a catalog page.
import type { Coverage } from '#schemas/market'
import type { TapeStore } from '#storage/clickhouse/client'
import { findExpired } from '#storage/clickhouse/retention'
import { type BookOf, recordedOutcomeId, unmirroredBooks } from './recordedOutcomeId.ts'
import { retainedSince } from './retentionGaps.ts'
import {
  type CoverageLine,
  coverageOf,
  findCoverageSql,
  findDepthSinceSql,
  hashOutcomes,
} from './statements/coverage.ts'
import {
  complementPriceChanges,
  findPriceChangesSql,
  oldestMs,
  type PriceChanges,
  type PriceChangesLine,
  priceChangesOf,
  recentMs,
} from './statements/priceChanges.ts'
import { type TapeReads, withDeadline } from './tapeReads.ts'

/** An outcome as named by readers and the catalog. `marketId`, if known from the catalog, resolves ambiguous ids. */
export interface OutcomeName {
  outcomeId: string
  marketId?: string | undefined
}

/** Answers are keyed by the requested outcome id. */
export interface OutcomeFacts {
  /** Outcomes without any price on the tape are absent. */
  findPriceChanges(venue: string, outcomes: readonly OutcomeName[], nowMs: number): Promise<Map<string, PriceChanges>>
  /** Outcomes the tape never covered are absent. */
  findCoverage(venue: string, outcomes: readonly OutcomeName[], nowMs: number): Promise<Map<string, Coverage>>
  /** Since when full depth is taped, epoch ms; absent: never. */
  findDepthSince(venue: string, outcomes: readonly OutcomeName[]): Promise<Map<string, number>>
}

const dayMs = 86_400_000
/** Ids per statement: they travel in the URL, whose length servers limit (1,000 ids of 78 digits take 90 KB). */
const idsMax = 1_000

export function createOutcomeFacts(store: TapeReads, bookOf: BookOf = unmirroredBooks): OutcomeFacts {
  const reads = withDeadline(store)
  const rows = <T>(sql: string, parameters: Parameters<TapeStore['rows']>[1]): Promise<T[]> =>
    reads.rows<T>(sql, parameters)

  /** Both sides of one book share one query to the tape. */
  async function find<Line extends { outcomeId: string }, T>(
    venue: string,
    outcomes: readonly OutcomeName[],
    fetchLines: (outcomeIds: readonly string[]) => Promise<Line[]>,
    answerOf: (line: Line, mirrored: boolean) => T,
  ): Promise<Map<string, T>> {
    const requested = new Map<string, { outcomeId: string; mirrored: boolean }[]>()
    for (const { outcomeId, marketId } of outcomes) {
      const { outcomeIds, mirrored } = recordedOutcomeId(bookOf, venue, [outcomeId], marketId)
      const taped = outcomeIds[0] as string
      const waiting = requested.get(taped)
      if (waiting === undefined) requested.set(taped, [{ outcomeId, mirrored }])
      else waiting.push({ outcomeId, mirrored })
    }
    const ids = [...requested.keys()]
    const parts = Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, i) =>
      fetchLines(ids.slice(i * idsMax, (i + 1) * idsMax)),
    )
    const found = new Map<string, T>()
    for (const line of (await Promise.all(parts)).flat()) {
      for (const { outcomeId, mirrored } of requested.get(line.outcomeId) ?? [])
        found.set(outcomeId, answerOf(line, mirrored))
    }
    return found
  }

  return {
    findPriceChanges: (venue, outcomes, nowMs) =>
      find(
        venue,
        outcomes,
        (outcomeIds) =>
          rows<PriceChangesLine>(findPriceChangesSql, {
            venue,
            outcomeIds,
            now: nowMs,
            recent: nowMs - recentMs,
            oldest: nowMs - oldestMs,
          }),
        (line, mirrored) => (mirrored ? complementPriceChanges(priceChangesOf(line)) : priceChangesOf(line)),
      ),

    async findCoverage(venue, outcomes, nowMs) {
      const expiry = findExpired(reads)
      const fetchLines = async (outcomeIds: readonly string[]): Promise<CoverageLine[]> => {
        const parameters = { venue, outcomeIds, hashes: hashOutcomes(outcomeIds), now: nowMs, dayAgo: nowMs - dayMs }
        const [lines, expired] = await Promise.all([rows<CoverageLine>(findCoverageSql, parameters), expiry])
        return lines.map((line) => retainedSince(line, expired))
      }
      return find(venue, outcomes, fetchLines, coverageOf)
    },

    async findDepthSince(venue, outcomes) {
      const expiry = findExpired(reads)
      const fetchLines = async (outcomeIds: readonly string[]): Promise<{ outcomeId: string; since: number }[]> => {
        const query = rows<{ outcomeId: string; since: number }>(findDepthSinceSql, { venue, outcomeIds })
        const [lines, expired] = await Promise.all([query, expiry])
        return lines.map(({ outcomeId, since }) => ({ outcomeId, since: Math.max(since, expired.get('depth') ?? 0) }))
      }
      return find(venue, outcomes, fetchLines, ({ since }) => since)
    },
  }
}

export type { PriceChanges }
