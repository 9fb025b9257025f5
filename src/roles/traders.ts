// The record of traders: its catalog queries, and its part of the jobs role.
import { type Supervisor, superviseRole } from '#actors/system'
import { startTraders } from '#actors/traders/tradersActor'
import { WalletPoller } from '#actors/traders/walletPoller'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { quotaClient } from '#net/quotaClient'
import type { Market } from '#schemas/market'
import type { WalletTrade } from '#schemas/topics'
import { isSandbox } from '#schemas/venues'
import type { TapeStore } from '#storage/clickhouse/client'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import type { Pool } from '#storage/postgres/pool'
import { cacheMarkets, type RecordCatalog } from '#traders/record/index'
import { readsChain } from '#venues/venue'
import { tradersQuota } from './budgets.ts'
import type { Metrics } from './metrics.ts'
import type { Stores } from './stores.ts'
import type { RunningVenue } from './venues.ts'

export interface TradersPartOptions {
  actors: Supervisor
  config: Pick<Config, 'pinnedMarkets' | 'venueSetting'>
  bus: Stores['bus']
  busMode: Stores['busMode']
  /** Null when this process has none. */
  tape: TapeStore | null
  pool: Pool
  venues: readonly RunningVenue[]
  metrics: Metrics
  clock: Clock
  log: Log
}

/** Null: there is nowhere to store it. */
export async function runTraders(options: TradersPartOptions): Promise<{ stop(): Promise<void> } | null> {
  const { config, bus, busMode: mode, tape: store, pool, venues, metrics, clock, log } = options
  if (store === null) {
    log.warn('without CLICKHOUSE_URL the jobs role keeps no record of traders')
    return null
  }
  const role = superviseRole(options.actors, 'traders', { clock, log })
  const catalog = createPostgresCatalog(pool, { clock })
  const random = Math.random
  const places = recordCatalogOf({ pool, catalog, venues, clock })
  const traders = await startTraders(role, { bus, mode, store, catalog: places, random, clock, log })
  // Over the bus, like everything written: several of these processes may read the same trades, and those of a venue have one writer.
  const onTrades = async (trades: readonly WalletTrade[]): Promise<void> => {
    await bus.ready()
    for (const trade of trades) bus.publish('walletTrades', trade.venue, trade)
  }
  const pollers = venues.flatMap(({ manifest, context }) => {
    const { slug: venue, traders: reads } = manifest
    const fetchTrades = reads?.fetchTrades
    // A chain identifies its traders; reported twice under two names, a trade would count twice.
    if (fetchTrades === undefined || readsChain(manifest, context) || isSandbox(venue)) return []
    if (reads?.hasAnonymousTrades === true) return []
    if ((reads?.missing?.(context) ?? null) !== null) return []
    const findMarkets = () => catalog.findMostActiveMarkets(venue, config.pinnedMarkets)
    // Books come first: one read of trades may weigh as much as twenty of theirs.
    const slices = [tradersQuota(manifest, 'record', config)]
    const http = quotaClient(venue, context.http, { of: () => slices })
    return [
      new WalletPoller({
        venue,
        context: { ...context, http },
        fetchTrades,
        findMarkets,
        onTrades,
        onProgress: (at) => bus.publish('walletTrades', venue, { venue, lookedAt: at }),
        random,
        clock,
        log,
      }),
    ]
  })
  const stat = (name: keyof ReturnType<typeof traders.stats>) => () => [{ value: traders.stats()[name] }]
  metrics.counter('traders_trades_written', 'Trades written into the record of traders', [], stat('written'))
  metrics.counter('traders_trades_rolled_up', 'Trades rolled up', [], stat('rolledUp'))
  metrics.counter('traders_wallets_scored', 'Times a wallet was scored', [], stat('walletsScored'))
  metrics.counter('traders_outcomes_settled', 'Outcomes whose payout was recorded', [], stat('settled'))
  metrics.gauge('traders_failures', 'Failed passes since the last success', [], stat('failures'))
  return {
    async stop() {
      // Together: a poller may wait for room on the bus, which is freed once its readers stop.
      await Promise.all([...pollers.map((poller) => poller.stop()), traders.stop()])
      role.stop()
    },
  }
}

export interface RecordCatalogOptions {
  pool: Pool
  catalog: Pick<Catalog, 'findOutcomes' | 'findMarket'>
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  clock: Clock
}

export function recordCatalogOf({ pool, catalog, venues, clock }: RecordCatalogOptions): RecordCatalog {
  const data = new Map(venues.map(({ manifest }) => [manifest.slug as string, manifest.data]))
  return {
    findPlace: cacheMarkets(async (venue, outcomeId) => {
      const [row] = await catalog.findOutcomes(venue, outcomeId)
      const market = row?.market ?? (await catalog.findMarket(venue, outcomeId))
      if (market === null) return null
      return {
        marketId: market.marketId,
        outcomeId: ownOutcome(market, outcomeId, data.get(venue)?.bookRef),
        closesAt: market.resolutionDate === undefined ? null : Date.parse(market.resolutionDate),
      }
    }, clock),
    async findMarkets(markets) {
      const rows = await findMarketsByIds<Market>(pool, markets)
      return rows.map(({ venue, doc }) => ({ venue, market: doc }))
    },
  }
}

/** The tape names a book; among its outcomes, the one whose prices are the book's. */
function ownOutcome(
  { marketId, outcomes }: Market,
  bookId: string,
  bookRef: RunningVenue['manifest']['data']['bookRef'] | undefined,
): string {
  if (outcomes.some(({ outcomeId }) => outcomeId === bookId)) return bookId
  const own = outcomes.find(({ outcomeId }) => {
    const book = bookRef?.(outcomeId, marketId) ?? null
    return book !== null && book.bookId === bookId && !book.complement
  })
  return own?.outcomeId ?? bookId
}
