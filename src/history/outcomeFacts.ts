// What the tape knows about outcomes beside their rows: price changes and coverage, for reads that enrich a catalog page.
import { Fault } from '#lib/fault'
import type { Coverage } from '#schemas/market'
import type { TapeStore } from '#storage/clickhouse/client'
import { type CoverageLine, coverageOf, findCoverageSql } from './statements/coverage.ts'
import {
  findPriceChangesSql,
  oldestMs,
  type PriceChanges,
  type PriceChangesLine,
  priceChangesOf,
  recentMs,
} from './statements/priceChanges.ts'

export interface OutcomeFacts {
  /** Outcomes without any price on the tape are absent. */
  findPriceChanges(venue: string, outcomeIds: readonly string[], nowMs: number): Promise<Map<string, PriceChanges>>
  /** Outcomes the tape never covered are absent. */
  findCoverage(venue: string, outcomeIds: readonly string[], nowMs: number): Promise<Map<string, Coverage>>
}

const dayMs = 86_400_000

export function createOutcomeFacts(store: Pick<TapeStore, 'rows'>): OutcomeFacts {
  async function rows<T>(sql: string, parameters: Parameters<TapeStore['rows']>[1]): Promise<T[]> {
    try {
      return await store.rows<T>(sql, parameters)
    } catch (cause) {
      throw new Fault('HISTORY_UNAVAILABLE', 'history is not available right now: try again', { cause })
    }
  }

  return {
    async findPriceChanges(venue, outcomeIds, nowMs) {
      if (outcomeIds.length === 0) return new Map()
      const lines = await rows<PriceChangesLine>(findPriceChangesSql, {
        venue,
        outcomeIds,
        now: nowMs,
        recent: nowMs - recentMs,
        oldest: nowMs - oldestMs,
      })
      return new Map(lines.map((line) => [line.outcomeId, priceChangesOf(line)]))
    },

    async findCoverage(venue, outcomeIds, nowMs) {
      if (outcomeIds.length === 0) return new Map()
      const lines = await rows<CoverageLine>(findCoverageSql, { venue, outcomeIds, dayAgo: nowMs - dayMs })
      return new Map(lines.map((line) => [line.outcomeId, coverageOf(line)]))
    },
  }
}

export type { PriceChanges }
