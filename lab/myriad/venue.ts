// The myriad lab: combines catalog, REST venue and feed, and provides controls for tests.
import { buildCatalog } from '../catalog/catalog.ts'
import { LabChain, type LabLog } from '../chain/chain.ts'
import { rpcRoute } from '../chain/pricedRpcNode.ts'
import { nextNonce } from '../chain/wallets.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { MarketListener, MarketTruth } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { chainId, createContracts, ordering } from './contracts.ts'
import { listMyriad, type MyriadListing } from './marketGenerator.ts'
import { orderRoutes } from './orders.ts'
import { readRoutes, refused } from './reads.ts'
import { decimalsOf, poolState, sideOf } from './rows.ts'
import { myriadFeed } from './stream.ts'
import { traderRoutes } from './traders.ts'

export interface MyriadLab {
  /** `RPC`: a node of BNB Chain. */
  urls: { REST: string; WS: string; RPC: string }
  faults: Faults
  engine: Engine
  listing: MyriadListing
  /** Nonce of a wallet's next transaction. */
  nonceOf(address: string): number
  /** A wallet's trades with pools of BNB Chain, oldest first. */
  tradesOf(wallet: string): readonly LabLog[]
  /** Keys of markets that are void once they are resolved. */
  voided: Set<string>
  /** The true book of `{network}:{model}:{number}:{outcome}` on that outcome's own scale, best first. Null for unlisted ones. */
  book(bookId: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

const blockMs = 750

export async function startMyriadLab(options: LabVenueOptions): Promise<MyriadLab> {
  const { clock, seed } = options
  const listing = listMyriad(
    buildCatalog('myriad', { seed, nowMs: clock.now(), markets: options.markets, namedSides: true }),
  )
  const chain = new LabChain({ seed: `${seed}/myriad`, clock })
  const voided = new Set<string>()
  const contracts = createContracts({
    listing,
    live: ({ key }) => venue.engine.glance(key)!,
    voided,
    now: () => Math.floor(clock.now() / 1_000),
  })
  chain.machine = contracts.machine
  const blocks = clock.every(blockMs, () => void chain.mine())
  /** On this chain. */
  const pools = new Map(
    listing.markets.flatMap((market) =>
      market.model === 'amm' && market.networkId === chainId ? [[market.key, market] as const] : [],
    ),
  )
  const marketOf = (id: string) => listing.byName.get(id.split(':').slice(0, 3).join(':'))
  const venue = await startRestVenue(options, {
    name: 'myriad',
    markets: listing.markets,
    engineId: (id) => marketOf(id)?.key ?? null,
    routes: (core) => [
      ...readRoutes(core, listing, voided),
      ...traderRoutes(core, listing),
      ...orderRoutes(core, listing),
      rpcRoute({ chain, chainId, ordering }, () => core.faults()),
    ],
    feed(core, counters) {
      const feed = myriadFeed(core, counters, listing, clock)
      const listener: MarketListener = {
        level: (...args) => feed.listener.level(...args),
        flush: (...args) => feed.listener.flush(...args),
        trade(live, trade) {
          feed.listener.trade(live, trade)
          const market = pools.get(live.id)
          if (market !== undefined) chain.send([contracts.strangersLog(market, trade)])
        },
      }
      return { ...feed, listener }
    },
    refusalBody: (status) => ({ error: status === 429 ? 'Too many requests' : 'Internal server error' }),
    notFound: () => refused(404, 'Not found'),
  })
  return {
    urls: { REST: venue.base, WS: `${venue.socketBase}/ws`, RPC: `${venue.base}/rpc` },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    nonceOf: (address) => nextNonce(chain, address),
    tradesOf: (wallet) => contracts.tradesOf(wallet),
    voided,
    book(bookId) {
      const market = marketOf(bookId)
      if (market === undefined) return null
      const side = bookId.endsWith(':1') ? 1 : 0
      return market.model === 'amm'
        ? poolState(venue.engine.market(market.key)!, side, decimalsOf(market))
        : sideOf(venue.truth(market.key), side)
    },
    counters: venue.counters,
    async stop() {
      blocks.cancel()
      await venue.stop()
    },
  }
}
