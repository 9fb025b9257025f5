// Trader data over HTTP: from the venues, and from what was recorded.
import type { CursorCodec } from '#core/cursor'
import type { Catalog } from '#marketData/catalog/catalog'
import { createTraders } from '#traders/index'
import { Backfill, createTraderRecord } from '#traders/record/index'
import { openTraderVenues } from '../traderSources.ts'
import { recordCatalogOf } from '../traders.ts'
import type { GatewayRoleOptions } from './options.ts'

type Options = Pick<GatewayRoleOptions, 'config' | 'stores' | 'venues' | 'clock' | 'log'> & {
  catalog: Catalog
  cursors: CursorCodec
}

export function openTraders({ config, stores: { pool, tape }, venues, catalog, cursors, clock, log }: Options) {
  const backfill = new Backfill({
    venues: openTraderVenues(venues, config, 'fillIns'),
    store: tape,
    catalog: recordCatalogOf({ pool, catalog, venues, clock }),
    clock,
    log,
  })
  return {
    routes: createTraders({
      venues: openTraderVenues(venues, config, 'callers'),
      catalog,
      record: createTraderRecord(tape, clock, backfill),
      cursors,
      clock,
      log,
    }),
    stop: () => backfill.stop(),
  }
}
