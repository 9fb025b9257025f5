// The rain lab: the API that lists pools, and a node of their chain.
import { buildCatalog } from '../catalog/catalog.ts'
import { LabChain } from '../chain/chain.ts'
import { rpcRoute } from '../chain/pricedRpcNode.ts'
import { nextNonce } from '../chain/wallets.ts'
import type { CounterSnapshot } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket, MarketTruth } from '../engine/market.ts'
import type { OrderManager } from '../engine/orderManager.ts'
import type { Faults } from '../faults.ts'
import { startRestVenue, type VenueCore } from '../restVenue.ts'
import type { LabVenueOptions } from '../venueOptions.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import { baseToken, createReads, decimals, entryShares, type PoolFaults } from './contracts.ts'
import { listRain, type RainListing, type RainOption, type RainPool } from './marketGenerator.ts'
import { nodeOf } from './node.ts'
import { createOrders } from './orders.ts'

export interface RainLab {
  /** `RPC`: its chain's node. */
  urls: { REST: string; RPC: string }
  faults: Faults
  engine: Engine
  listing: RainListing
  chain: LabChain
  /** Nonce of a wallet's next transaction. */
  nonceOf(address: string): number
  /** Pools that the venue did not create; and routes of pools, by address and selector. */
  pools: { foreign: Set<string>; routes: Map<string, `0x${string}`>; beforeOrders: Set<string> }
  /** By `<address>:<option>`: what ten of the base token buy of either side, on the Yes scale. Null for unknown options. */
  book(id: string): MarketTruth | null
  counters(): CounterSnapshot
  stop(): Promise<void>
}

const pageUsual = 10
const blockMs = 250
/** Probability that a block belongs to another branch. */
const reorganises = 0.001
const ignore = (): undefined => undefined
const statuses = { open: 'Live', closed: 'Waiting_for_Result', resolved: 'Closed' } as const
const token = {
  tokenAddress: baseToken,
  tokenSymbol: 'USDT',
  tokenDecimals: decimals,
  tokenName: 'USD₮0',
}

export async function startRainLab(options: LabVenueOptions): Promise<RainLab> {
  const { clock, seed, markets } = options
  const listing = listRain(buildCatalog('rain', { seed, nowMs: clock.now(), markets }))
  const optionOf = (id: string): RainOption | undefined => {
    const [address, option] = id.split(':')
    return listing.byAddress.get(address!.toLowerCase())?.options[Number(option) - 1]
  }
  const chain = new LabChain({ seed: `${seed}/rain`, clock, reorganises })
  const faults = { foreign: new Set<string>(), routes: new Map<string, `0x${string}`>() } satisfies PoolFaults
  const glance = ({ key }: RainOption): EngineMarket => venue.engine.glance(key)!
  const live = ({ key }: RainOption): EngineMarket => venue.engine.market(key)!
  const orderManager = (): OrderManager => venue.engine.orderManager
  const reads = createReads({ listing, orderManager, live: glance, faults })
  const now = (): number => Math.floor(clock.now() / 1_000)
  const orders = createOrders({ listing, reads, orderManager, live, now })
  chain.machine = orders.machine
  const byKey = new Map(listing.options.map((option) => [option.key, option]))
  // Every pool was created before the lab began.
  const births: Births = new Map(listing.pools.map(({ address }) => [address, chain.send([], { stays: true }).hash]))
  chain.mine()
  const blocks = clock.every(blockMs, () => void chain.mine())
  const venue = await startRestVenue(options, {
    name: 'rain',
    markets: listing.options,
    engineId: (id) => optionOf(id)?.key ?? null,
    routes: (core) => [...routes(core, listing, births), rpcRoute(nodeOf(chain), () => core.faults())],
    // No sockets: the chain is the only listener.
    feed: () => ({
      listener: {
        level: ignore,
        flush: ignore,
        trade(market, trade) {
          const option = byKey.get(market.id)!
          const isOurs = orders.hasOrders(option)
          const logs = orders.logsOf(option, trade)
          if (logs.length > 0) chain.send(logs, isOurs ? { stays: true } : {})
        },
      },
      isPath: () => false,
      open: () => ({ message: ignore, closed: ignore }),
    }),
    refusalBody: (status) => ({
      statusCode: status,
      message: status === 429 ? 'Too Many Requests' : 'Internal server error',
    }),
    notFound: (path) => refused(`Cannot GET ${path}`),
  })
  return {
    urls: { REST: venue.base, RPC: `${venue.base}/rpc` },
    faults: venue.faults,
    engine: venue.engine,
    listing,
    chain,
    nonceOf: (address) => nextNonce(chain, address),
    pools: { ...faults, beforeOrders: orders.beforeOrders },
    book(id) {
      const option = optionOf(id)
      return option === undefined ? null : quoted(venue.engine, option)
    },
    counters: venue.counters,
    async stop() {
      blocks.cancel()
      await venue.stop()
    },
  }
}

const refused = (message: string): LabReply => ({ status: 404, body: { statusCode: 404, message } })

function routes({ engine, isKnown }: VenueCore, listing: RainListing, births: Births): LabRoute[] {
  const isShown = (pool: RainPool) => pool.options.every(({ key }) => isKnown(key))
  const one = (pool: RainPool | undefined): LabReply =>
    pool === undefined || !isShown(pool) ? refused('Pool not found') : ok(enveloped(poolRow(pool, engine, births)))
  return [
    {
      method: 'GET',
      path: '/pools/public-pools',
      handle({ query }) {
        const [limit, offset] = [Number(query.get('limit') ?? pageUsual), Number(query.get('offset') ?? 0)]
        const rows = listing.pools.slice(offset, offset + limit).map((pool) => poolRow(pool, engine, births))
        return ok(enveloped({ pools: rows }))
      },
    },
    { method: 'GET', path: '/pools/pool/:id', handle: ({ params }) => one(listing.byId.get(params.id!)) },
    {
      method: 'GET',
      path: '/pools/poolByContractAddress/:address',
      handle: ({ params }) => one(listing.byAddress.get(params.address!.toLowerCase())),
    },
  ]
}

/** The transaction that created each pool, by address. */
type Births = ReadonlyMap<string, string>

const enveloped = (data: unknown) => ({ statusCode: 200, message: 'Success', data })

function poolRow({ catalog, id, address, options }: RainPool, engine: Engine, births: Births) {
  const states = options.map(({ key }) => engine.statusOf(key))
  return {
    _id: id,
    question: catalog.title,
    poolDescription: catalog.rules,
    isPrivate: false,
    contractAddress: address,
    status: statuses[states.includes('open') ? 'open' : states[0]!],
    options: options.map(({ catalog: { label }, option }) => ({ optionName: label, choiceIndex: option })),
    token,
    tags: catalog.tags,
    startDate: new Date(catalog.createdMs).toISOString(),
    endDate: new Date(catalog.endMs).toISOString(),
    poolTrxHash: births.get(address),
  }
}

const entry = 10n * 10n ** BigInt(decimals)

function quoted(engine: Engine, { key }: RainOption): MarketTruth {
  const live = engine.market(key)!
  const level = (isYes: boolean): MarketTruth['bids'] => {
    const shares = entryShares(live, isYes, entry)
    const micros = isYes ? live.book.bestAskMicros() : live.book.bestBidMicros()
    return shares === null || micros === null ? [] : [[micros, Number(shares) / 10 ** decimals]]
  }
  return { bids: level(false), asks: level(true), eventTs: live.eventTs }
}
