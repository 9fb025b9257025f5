// Reference feeds of this deployment: Binance by its public stream and REST, Chainlink by the operator's nodes. Null while they are
// disabled: nothing is opened then.
import { BinanceTickers } from '#actors/feeds/binanceTickers'
import { ChainlinkTickers } from '#actors/feeds/chainlinkTickers'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import {
  binanceMarkets,
  chainlinkChains,
  createBinanceRest,
  createChainlinkFeed,
  type Feeds,
  type ReferenceFeed,
  usualPairs,
} from '#marketData/feeds/index'
import { createChainNode } from '#net/chainNode'
import type { HttpClient } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { createRpc, RpcNodes } from '#net/rpc'
import { createSocketOpener } from '#net/socket'
import type { Metrics } from './metrics.ts'
import { warnMisconfiguredNodes } from './nodes.ts'

/** Of Binance's weight, far below what it allows. */
const binanceBudget = { requestsPerSecond: 20, burst: 80, restSeconds: 60 }
const nodeBudget = { requestsPerSecond: 20 }
/** A node that is silent for longer is skipped. */
const nodeTimeoutMs = 3_000
/** Per read, over all nodes that are tried. */
const readTimeoutMs = 9_000

export interface OpenFeeds {
  feeds: Feeds
  measure(metrics: Metrics): void
  stop(): Promise<void>
}

export function openFeeds(
  { feeds: config, contactUrl }: Pick<Config, 'feeds' | 'contactUrl'>,
  { clock, log }: { clock: Clock; log: Log },
): OpenFeeds {
  const abort = new AbortController()
  const { signal } = abort
  const http = {
    binance: createHttpClient({ venue: 'binance', contactUrl, ...binanceBudget }),
    chainlink: createHttpClient({ venue: 'chainlink', contactUrl, ...nodeBudget }),
  }

  const markets = binanceMarkets(config.binance.pairs.length === 0 ? usualPairs : config.binance.pairs)
  const binance = new BinanceTickers({
    markets,
    rest: createBinanceRest({ http: http.binance, url: config.binance.restUrl, clock }),
    wsUrl: config.binance.wsUrl,
    openSocket: createSocketOpener(contactUrl),
    clock,
    log: log.child({ feed: 'binance' }),
    random: Math.random,
    signal,
  })

  const { chain, rpcUrls, staleSeconds } = config.chainlink
  const ofChain = chainlinkChains[chain]
  const nodes =
    rpcUrls.length === 0
      ? null
      : new RpcNodes({
          http: hurried(http.chainlink),
          urls: rpcUrls,
          chainId: ofChain.chainId,
          exchange: 'chainlink',
          // These requests cannot be legitimately refused: a refusal means a missing key or a rate limit.
          isAnswer: () => false,
        })
  const nodeNow = () => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(readTimeoutMs)])
    return createChainNode(createRpc(nodes!, within), 'chainlink')
  }
  const oracle = createChainlinkFeed({
    chain: { ...ofChain, name: chain },
    nodes:
      nodes === null
        ? null
        : { count: nodes.size, now: nodeNow, turn: () => nodes.rotate(), answered: () => nodes.answered },
    staleSeconds,
    clock,
  })
  const chainlink = new ChainlinkTickers({
    fetch: oracle.lookAt,
    clock,
    log: log.child({ feed: 'chainlink' }),
  })
  if (nodes !== null) void warnMisconfiguredNodes(nodes, log.child({ feed: 'chainlink' }), signal)

  const feeds: readonly ReferenceFeed[] = [
    {
      name: 'binance',
      markets,
      fetchTickers: (symbols) => binance.fetch(symbols),
      watchTicker: (symbol, onTicker) => binance.watch(symbol, onTicker),
    },
    { ...oracle, watchTicker: nodes === null ? null : (symbol, onTicker) => chainlink.watch(symbol, onTicker) },
  ]
  return {
    feeds: new Map(feeds.map((feed) => [feed.name, feed])),
    measure(metrics) {
      metrics.gauge('feed_pairs_watched', 'Reference feed pairs with subscribers', ['feed'], () => [
        { labels: { feed: 'binance' }, value: binance.watched },
        { labels: { feed: 'chainlink' }, value: chainlink.watched },
      ])
      metrics.gauge('feed_stream_open', 'Whether a reference feed streams now', ['feed'], () => [
        { labels: { feed: 'binance' }, value: binance.isStreaming ? 1 : 0 },
      ])
    },
    async stop() {
      binance.stop()
      chainlink.stop()
      abort.abort()
      await Promise.all([http.binance.close(), http.chainlink.close()])
    },
  }
}

const hurried = (http: HttpClient): HttpClient => ({
  request: (call) => http.request({ timeoutMs: nodeTimeoutMs, ...call }),
})
