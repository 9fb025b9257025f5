// Markets, tape and coverage of this deployment, read directly: ClickHouse by its address, the catalog from Postgres.
import { type Clock, systemClock } from '#core/clock'
import { createClickhouseTape } from '#history/clickhouseTape'
import { reportedGaps } from '#history/paced/sources'
import type { BookOf } from '#history/recordedOutcomeId'
import { createTapeCoverage } from '#history/tapeCoverage'
import type { Catalog } from '#marketData/catalog/catalog'
import { connectTape } from '#storage/clickhouse/client'
import type { VenueManifest } from '#venues/venue'
import { incomplete } from './gateway.ts'
import type { BacktestData } from './ports.ts'

export interface StoresOptions {
  clickhouseUrl: string
  dataDir: string
  catalog: Pick<Catalog, 'findMarket' | 'findOutcomes'>
  manifests: ReadonlyMap<string, VenueManifest>
  clock?: Clock
}

export async function storesData(options: StoresOptions): Promise<BacktestData> {
  const { clickhouseUrl, dataDir, catalog, manifests, clock = systemClock } = options
  const store = await connectTape({ url: clickhouseUrl, dataDir })
  const bookOf: BookOf = (venue, outcomeId, marketId) => manifests.get(venue)?.data.bookRef(outcomeId, marketId) ?? null
  const coverage = createTapeCoverage(store, bookOf)
  return {
    async findMarket(venue, id) {
      const market = await catalog.findMarket(venue, id)
      if (market !== null) return market
      const [row] = await catalog.findOutcomes(venue, id)
      return row?.market ?? null
    },
    tape: createClickhouseTape(store, bookOf),
    async gaps({ venue, outcomeId, marketId }, window) {
      const gaps = await coverage.gaps(venue, outcomeId, marketId, window)
      const complete = incomplete(await coverage.watermark(clock.now()), window.untilMs)
      return reportedGaps([...gaps, ...complete], window.sinceMs)
    },
    close: () => store.close(),
  }
}
