// How daily volumes are derived for each venue that reports none: by its manifest.

import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { DailyVolumesOfTape } from '#history/dailyVolumes'
import { countDeltas, type DailyVolumes } from '#marketData/catalog/dailyVolumes'
import type { TapeStore } from '#storage/clickhouse/client'
import type { RunningVenue } from './venues.ts'

/** Totals are compared over time: a walk over changes only would be silence about the rest. */
export const derivedFullWalkEveryMs = 20 * 60_000

export interface DailyVolumesOptions {
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  /** Null: this process has no tape to ask. */
  tape: TapeStore | null
  clock: Clock
  log: Log
}

export function dailyVolumesOf({ venues, tape, clock, log }: DailyVolumesOptions): Map<string, DailyVolumes> {
  const made = new Map<string, DailyVolumes>()
  for (const { manifest } of venues) {
    const { slug, volume24h, data } = manifest
    if (volume24h === false || volume24h.source === 'venue') continue
    if (volume24h.source === 'derived_cumulative') made.set(slug, countDeltas(slug))
    else if (tape === null) log.warn({ venue: slug }, 'without CLICKHOUSE_URL the daily volumes are unknown')
    else {
      const bookOf = (_venue: string, outcomeId: string, marketId?: string) => data.bookRef(outcomeId, marketId)
      const taped = new DailyVolumesOfTape({ store: tape, venue: slug, bookOf, clock, log })
      made.set(slug, {
        source: volume24h.source,
        async at(asOf) {
          const volumes = await taped.at(asOf)
          return async (_db, markets) => volumes.of(markets)
        },
      })
    }
  }
  return made
}
