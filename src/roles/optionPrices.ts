// Option prices of this deployment: each venue's own reading of its pools, from its chain or its rows, for the sockets of this process. Nothing is
// read without a listener.
import { ChainPrices } from '#actors/optionPrices/chainPrices'
import { PolledPrices } from '#actors/optionPrices/pricePoller'
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import { locate } from '#marketData/markets/index'
import { createFindPool, type PricedVenue, priceChannel } from '#marketData/optionPrices/index'
import { createChainNode } from '#net/chainNode'
import { createRpc } from '#net/rpc'
import type { Market } from '#schemas/market'
import type { StreamChannels } from '#stream/ports'
import { hasNodes, nodesOf } from '#venues/shared/evm'
import type { Metrics } from './metrics.ts'
import type { RunningVenue } from './venues.ts'

/** Per turn at a chain, over all nodes that are tried. */
const turnMs = 15_000
/** A market that was unknown may be listed a moment later. */
const knownMs = 5_000
const cachedMax = 1_000
/** Concurrent lookups at a venue for markets unknown to the catalog. */
const lookUpsMax = 4

type Rows = Pick<Catalog, 'findEvents' | 'findMarket' | 'findOutcomes' | 'findMarketNamed'>

export interface OpenOptionPrices {
  channel: NonNullable<StreamChannels['price']>
  measure(metrics: Metrics): void
  stop(): void
}

export function openOptionPrices(options: {
  venues: readonly RunningVenue[]
  catalog: Rows
  clock: Clock
  log: Log
}): OpenOptionPrices {
  const { venues, clock } = options
  const abort = new AbortController()
  const rowsCache = new Cache<readonly Market[] | null>(cachedMax, { clock, forMs: knownMs })
  const names = new Cache<Awaited<ReturnType<PricedVenue['findNamed']>>>(cachedMax, { clock, forMs: knownMs })
  const readers: { venue: string; source: 'chain' | 'poll'; reader: ChainPrices | PolledPrices }[] = []

  function open(running: RunningVenue): PricedVenue {
    const { manifest, context } = running
    const { slug, data } = manifest
    const { optionPrices: prices } = data
    const log = options.log.child({ venue: slug })
    const rowsOf = createRows(running, options.catalog)
    const chain = prices?.chain !== undefined && hasNodes(context) ? openChain(running, prices.chain) : null
    const poll = prices?.poll === undefined ? null : new PolledPrices({ poll: prices.poll, context, clock, log })
    if (chain !== null) readers.push({ venue: slug, source: 'chain', reader: chain })
    if (poll !== null) readers.push({ venue: slug, source: 'poll', reader: poll })
    return {
      prices,
      context,
      nameOf: (marketId) => locate({ router: false, venues: [manifest] }, marketId).id,
      findNamed: (name) => names.getOrLoad(`${slug} ${name}`, () => findNamed(options.catalog, slug, name)),
      findRows: (of) => rowsCache.getOrLoad(`${slug} ${JSON.stringify(of)}`, () => rowsOf(of)),
      watcherOf(pool) {
        const reader = pool.contract === null ? poll : chain
        return reader?.hasCapacity(pool) === true ? (listener) => reader.watch(pool, listener) : null
      },
    }
  }

  function openChain(
    { manifest, context }: RunningVenue,
    chain: ConstructorParameters<typeof ChainPrices>[0]['chain'],
  ) {
    const { slug: venue } = manifest
    const nodes = nodesOf(context, venue, chain.chainId)
    return new ChainPrices({
      venue,
      chain,
      node() {
        const signal = AbortSignal.any([abort.signal, context.signal, AbortSignal.timeout(turnMs)])
        return createChainNode(createRpc(nodes, signal), venue)
      },
      clock,
      log: options.log,
    })
  }

  const find = createFindPool(new Map(venues.map((venue) => [venue.manifest.slug as string, open(venue)])))
  return {
    channel: priceChannel(find, clock),
    measure(metrics) {
      metrics.gauge('option_price_pools_watched', 'Pools with price subscribers', ['venue', 'source'], () =>
        readers.map(({ venue, source, reader }) => ({ labels: { venue, source }, value: reader.watched })),
      )
    },
    stop() {
      abort.abort()
      for (const { reader } of readers) reader.stop()
    },
  }
}

async function findNamed(catalog: Rows, venue: string, name: string): ReturnType<PricedVenue['findNamed']> {
  const [row] = await catalog.findOutcomes(venue, name)
  if (row !== undefined) return { by: 'outcome', marketId: row.market.marketId }
  const named = await catalog.findMarketNamed(venue, name)
  return named === null ? null : { by: 'other', marketId: named.market.marketId }
}

/** The venue may have what the catalog lacks: only a few lookups at once, since anyone can make names up. */
function createRows({ manifest: { slug, data }, context }: RunningVenue, catalog: Rows) {
  let lookUps = 0
  async function ofVenue<T>(load: () => Promise<T>): Promise<T> {
    if (lookUps >= lookUpsMax)
      throw new Fault('RATE_LIMITED', 'too many lookups of unknown markets at this venue: try again shortly')
    lookUps++
    try {
      return await load()
    } finally {
      lookUps--
    }
  }

  return async (of: { eventId: string } | { marketId: string }): Promise<readonly Market[] | null> => {
    if ('marketId' in of) {
      const listed = await catalog.findMarket(slug, of.marketId)
      const market = listed ?? (await ofVenue(() => data.fetchMarket(context, of.marketId)))?.market
      return market === undefined ? null : [market]
    }
    const filter = { venues: [slug], status: 'all' as const, eventId: of.eventId }
    const [listed] = (await catalog.findEvents({ filter, sort: 'volume', limit: 1 })).rows
    return (listed ?? (await ofVenue(async () => data.fetchEvent?.(context, of.eventId))))?.markets ?? null
  }
}
