// Daily volumes of venues that report none. Four report a running total per market (`derived_cumulative`, runningTotal.ts), one has only its
// trades (`derived_tape`, src/history/dailyVolumes.ts). A volume is a number where a whole day is covered, otherwise null: there is none on
// the first day, and a market that was not seen for an hour loses its volume. Volumes are written with each page of the catalog, in the same
// transaction, so that lists, sorting and sums of events treat them like any other.
import type { Event, Market } from '#schemas/market'
import type { Volume24hSource } from '#schemas/venues'
import { findRunningTotals, type NewTotal, writeRunningTotals } from '#storage/postgres/catalog/runningTotals'
import type { Queryable } from '#storage/postgres/pool'
import { dailyVolume, ownDailyVolume } from '#venues/shared/dailyVolume'
import { stripNul } from './records.ts'
import { applyTotal, dayMs } from './runningTotal.ts'

/** By market id, in the venue's unit; markets of unknown volume are missing. Called by the venue's only writer. */
export type VolumesOf = (db: Queryable, markets: readonly Market[]) => Promise<ReadonlyMap<string, number>>

export interface DailyVolumes {
  source: Volume24hSource
  /** For the day before `asOf`, epoch ms. Called before a write begins: a write must not wait for other stores. */
  at(asOf: number): Promise<VolumesOf>
}

export interface DailyVolumesAt {
  source: Volume24hSource
  of: VolumesOf
}

export async function withDailyVolumes(
  db: Queryable,
  events: readonly Event[],
  { source, of }: DailyVolumesAt,
): Promise<Event[]> {
  const volumes = await of(
    db,
    events.flatMap(({ markets }) => markets),
  )
  return events.map((event) => {
    const markets = event.markets.map((market) => withVolume(market, volumes.get(market.marketId) ?? null, source))
    return { ...event, markets, ...dailyVolume(markets) }
  })
}

export const withVolume = (market: Market, volume24h: number | null, source: Volume24hSource): Market => ({
  ...market,
  ...ownDailyVolume(volume24h, source),
})

/** The increase of the running totals that the venue reports in `Market.volume`. */
export const countDeltas = (venue: string): DailyVolumes => ({
  source: 'derived_cumulative',
  at: async (now) => async (db, markets) => {
    const dayAgo = now - dayMs
    const totals = new Map(markets.map(({ marketId, volume }) => [marketId, volume]))
    const kept = await findRunningTotals(db, venue, [...totals.keys()].map(stripNul), dayAgo)
    const rises = new Map<string, number>()
    const newTotals: NewTotal[] = []
    for (const [marketId, total] of totals) {
      const id = stripNul(marketId)
      const { rise, change } = applyTotal(kept.get(id), now, total)
      if (rise !== null) rises.set(marketId, rise)
      if (change !== null && total !== null) newTotals.push({ id, total, change })
    }
    await writeRunningTotals(db, venue, newTotals, { now, dayAgo })
    return rises
  },
})
