// Connects paper accounts to their store, the catalog and live books, for every process that takes or submits their orders.
import { randomUUID } from 'node:crypto'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { Catalog } from '#marketData/catalog/catalog'
import type { PaperRouteDeps, PaperTrading } from '#paper/accounts/ports'
import type { MarketFees } from '#schemas/fees'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import { createPaperStore } from '#storage/postgres/paper/store'
import type { Pool } from '#storage/postgres/pool'
import { paperRules } from './paperRules.ts'
import type { RunningVenue } from './venues.ts'

export interface PaperTradingOptions {
  config: Pick<Config, 'paper'>
  pool: Pool
  catalog: Pick<Catalog, 'findMarket'>
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  availability: PaperTrading['availability']
  clock: Clock
}

const isUnknown = { kind: 'unknown', reason: 'the venue does not run here' } as const
const unknownFees: MarketFees = { fee: isUnknown, settlementFee: isUnknown }

export function openPaperTrading({
  config,
  pool,
  catalog,
  venues,
  availability,
  clock,
}: PaperTradingOptions): PaperTrading {
  const manifests = new Map(venues.map(({ manifest }) => [manifest.slug as string, manifest]))
  return {
    store: createPaperStore(pool, paperRules, createNotifier(pool)),
    settings: { startCash: config.paper.startCash },
    findMarket: (venue, marketId) => catalog.findMarket(venue, marketId),
    bookOf: (venue, outcomeId, marketId) => manifests.get(venue)?.data.bookRef(outcomeId, marketId) ?? null,
    availability,
    feeModel: (venue, market) => manifests.get(venue)?.data.feeModel(market) ?? unknownFees,
    clock,
  }
}

export const openPaperRoutes = (
  { store, settings, clock }: PaperTrading,
  cursors: CursorCodec,
): PaperRouteDeps['paper'] => ({ store, settings, cursors, clock, newId: () => randomUUID() })
