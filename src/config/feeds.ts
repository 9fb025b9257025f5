// Reference feeds: Binance, and the oracles of one chain.
import { z } from 'zod'
import { chainNames } from '#schemas/feeds'
import { family, flag, socketUrl, webUrl, whole, words } from './envReaders.ts'

/** More streams than one connection should carry. */
const binancePairsMax = 100

export const feeds = family(
  {
    /** Reference feeds: routes and the stream's tickers. */
    CROSSBOOK_FEEDS: flag(false),
    /** Binance's market data, which needs no key. */
    CROSSBOOK_BINANCE_REST_URL: webUrl.default('https://data-api.binance.vision'),
    CROSSBOOK_BINANCE_WS_URL: socketUrl.default('wss://data-stream.binance.vision'),
    /** Pairs of its spot market that are served. */
    CROSSBOOK_BINANCE_PAIRS: words(/^[A-Z0-9]{1,15}\/[A-Z0-9]{1,10}$/, 'must be pairs such as BTC/USDT').refine(
      (pairs) => pairs.length <= binancePairsMax,
      `must be at most ${binancePairsMax} pairs`,
    ),
    /** The chain whose oracles are read. */
    CROSSBOOK_CHAINLINK_CHAIN: z.enum(chainNames).default('arbitrum'),
    /** Nodes of that chain, best first. Without one chainlink is not served. */
    CROSSBOOK_CHAINLINK_RPC_URL: words(/^https?:\/\/\S+$/, 'must be addresses that begin with https:// or http://'),
    /** A newest round older than this proves no price. No heartbeat is longer than a day. */
    CROSSBOOK_CHAINLINK_STALE_SECONDS: whole(90_000, 60, 604_800),
  },
  (value) => ({
    enabled: value.CROSSBOOK_FEEDS,
    binance: {
      restUrl: value.CROSSBOOK_BINANCE_REST_URL,
      wsUrl: value.CROSSBOOK_BINANCE_WS_URL,
      pairs: value.CROSSBOOK_BINANCE_PAIRS,
    },
    chainlink: {
      chain: value.CROSSBOOK_CHAINLINK_CHAIN,
      rpcUrls: value.CROSSBOOK_CHAINLINK_RPC_URL,
      staleSeconds: value.CROSSBOOK_CHAINLINK_STALE_SECONDS,
    },
  }),
)
