// The hyperliquid lab: combines catalog, accounts and REST venue, and provides controls for tests. There are no keys to issue: wallets
// sign.
import { buildCatalog } from '../catalog/catalog.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import { grids } from '../engine/grid.ts'
import type { MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { catalogStatus, type MarketFacts } from '../marketFacts.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { Accounts } from './accounts.ts'
import { Exchange } from './exchange.ts'
import { infoRoute } from './info.ts'
import { coinOf, type HyperListing, listHyperliquid } from './marketGenerator.ts'
import { deployerFeeScale, quoteToken } from './rows.ts'
import { hyperliquidFeed } from './stream.ts'
import { leaderboardRoute } from './traders.ts'

export interface HyperliquidLab {
  urls: { REST: string; WS: string; STATS: string }
  faults: Faults
  engine: Engine
  listing: HyperListing
  /** Opens an account with this much USDC, or sets its grant. */
  fund(address: string, usd: number): void
  /** From now on the agent signs for the master. */
  approveAgent(agent: string, master: string): void
  /** The coin's true book in its own side's prices, best first, micros. Null for unknown coins. */
  book(coin: string): MarketTruth | null
  /** The part of the catalog that the lane reads. */
  catalogMarkets(): MarketFacts[]
  counters(): CounterSnapshot
  stop(): Promise<void>
}

export async function startHyperliquidLab(options: LabVenueOptions): Promise<HyperliquidLab> {
  const { clock, seed } = options
  const catalog = buildCatalog('hyperliquid', { seed, nowMs: clock.now(), markets: options.markets })
  const listing = listHyperliquid(catalog)
  const accounts = new Accounts(() => clock.now())
  const venue = await startRestVenue(options, {
    name: 'hyperliquid',
    markets: listing.outcomes,
    engineId: (coin) => listing.byCoin.get(coin)?.outcome.key ?? null,
    routes(core) {
      const exchange = new Exchange(core, listing, accounts)
      return [infoRoute(core, listing, accounts, exchange.statusOf), exchange.route(), leaderboardRoute]
    },
    feed: (core, counters) => hyperliquidFeed(core, counters, listing),
    refusalBody: () => null,
    notFound: () => ({ status: 404, body: 'Not Found' }),
  })
  return {
    urls: { REST: venue.base, WS: `${venue.socketBase}/ws`, STATS: `${venue.base}/stats` },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    fund: (address, usd) => accounts.fund(address, usd),
    approveAgent: (agent, master) => accounts.approveAgent(agent, master),
    book(coin) {
      const named = listing.byCoin.get(coin)
      if (named === undefined) return null
      const truth = venue.truth(named.outcome.key)
      return named.side === 0 ? truth : mirrored(truth)
    },
    catalogMarkets: () =>
      listing.outcomes.map((outcome) => ({
        marketId: String(outcome.outcome),
        title: outcome.catalog.question,
        outcomeIds: [coinOf({ outcome, side: 0 }), coinOf({ outcome, side: 1 })],
        tickSize: grids[outcome.grid].stepMicros / 1_000_000,
        status: catalogStatus(venue.engine.statusOf(outcome.key)),
        sourceMetadata: { outcome: outcome.outcome, quoteToken, deployerFeeScale },
      })),
    counters: venue.counters,
    stop: venue.stop,
  }
}

/** The other side of the single book: its bids are 1 − the asks. */
function mirrored({ bids, asks, eventTs }: MarketTruth): MarketTruth {
  const flip = (levels: MarketTruth['bids']) =>
    levels.map(([price, size]): [number, number] => [1_000_000 - price, size])
  return { bids: flip(asks), asks: flip(bids), eventTs }
}
