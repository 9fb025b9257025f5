// The feed `chainlink`: rounds and tickers of one chain's proxies, as its nodes tell them. Equal reads of a moment are one.
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'
import { CallReverted, type ChainNode } from '#net/chainNode'
import { RpcRefusal } from '#net/rpc'
import type { ChainName, FeedMarket, FeedTicker, OracleRound } from '#schemas/feeds'
import type { ReferenceFeed } from '../feed.ts'
import { Recent } from '../recent.ts'
import { emptyTicker } from '../tickers.ts'
import type { ChainlinkChain } from './directory.ts'
import { whyUnproven } from './proof.ts'
import { type Newest, readBefore, readNewest } from './read.ts'
import { tickerOf } from './ticker.ts'

/** Readers of one second share an answer: rounds lie further apart. */
const recentMs = 1_000

export interface ChainlinkOptions {
  chain: ChainlinkChain & { name: ChainName }
  /** Its nodes, for one read; null: none is configured. */
  node: (() => ChainNode) | null
  /** A newest round older than this proves no price. */
  staleSeconds: number
  clock: Clock
}

export function chainlinkMarkets({ name, chainId, proxies }: ChainlinkOptions['chain']): Map<string, FeedMarket> {
  return new Map(
    Object.entries(proxies).map(([symbol, proxy]) => {
      const [base, quote] = symbol.split('/') as [string, string]
      const info = { proxy, chain: name, chainId }
      return [symbol, { id: proxy, symbol, base, quote, active: true, type: 'spot', info }]
    }),
  )
}

/** All but the watching. */
export function createChainlinkFeed({ chain, node, staleSeconds, clock }: ChainlinkOptions) {
  const rounds = new Recent<OracleRound[]>(clock, recentMs)
  const tickers = new Recent<FeedTicker[]>(clock, recentMs)

  async function asked<T>(read: (node: ChainNode) => Promise<T>): Promise<T> {
    if (node === null) throw new Fault('FEEDS_UNAVAILABLE', 'chainlink has no node on this deployment')
    try {
      return await read(node())
    } catch (error) {
      throw upstream(error)
    }
  }

  const newestOf = async (node: ChainNode, symbol: string): Promise<Newest> => {
    const { newest } = await readNewest(node, chain, [symbol])
    return only(newest[0]!)
  }

  async function readTickers(node: ChainNode, symbols: readonly string[]): Promise<FeedTicker[]> {
    const { newest, sequencer } = await readNewest(node, chain, symbols)
    const nowMs = clock.now()
    // Of one there is nothing else to answer with.
    if (newest.length === 1) only(newest[0]!)
    return newest.map((each, n) => {
      const symbol = symbols[n]!
      const proxy = chain.proxies[symbol]!
      if (each instanceof Fault) {
        const info = { proxy, chainId: chain.chainId, unproven: 'no such feed' }
        return emptyTicker(symbol, 'chainlink-onchain', nowMs, info)
      }
      const why = whyUnproven(each.round, { clock, staleSeconds, sequencer })
      return tickerOf(each, why, { proxy, chainId: chain.chainId, nowMs })
    })
  }

  return {
    name: 'chainlink',
    markets: chainlinkMarkets(chain),
    fetchTickers: (symbols) => tickers.run(symbols.join(), () => asked((node) => readTickers(node, symbols))),
    async fetchOracleRound(symbol) {
      const [round] = await rounds.run(symbol, () =>
        asked(async (node) => {
          const { round } = await newestOf(node, symbol)
          if (round === null) throw new Fault('FEED_UPSTREAM', `the newest round of ${symbol} has no answer of its own`)
          return [round]
        }),
      )
      return round!
    },
    fetchOracleHistory: (symbol, limit) =>
      rounds.run(`${symbol} ${limit}`, () =>
        asked(async (node) => {
          const newest = await newestOf(node, symbol)
          const before = await readBefore(node, chain, newest, limit - 1)
          return newest.round === null ? before : [newest.round, ...before]
        }),
      ),
  } satisfies Omit<ReferenceFeed, 'watchTicker'>
}

function only(newest: Newest | Fault): Newest {
  if (newest instanceof Fault) throw newest
  return newest
}

/** Neither the caller nor the log is told a node's own words: they may hold the key it is asked with. */
function upstream(error: unknown): unknown {
  if (error instanceof RpcRefusal) return unanswered({ detail: `refused with ${error.rpcCode ?? 'no code'}` })
  if (error instanceof CallReverted) return unanswered({ detail: 'reverted' })
  if (!(error instanceof Fault) || error.code !== 'NETWORK_ERROR') return error
  const { message, retryAfterSeconds } = error
  return unanswered({ detail: message, retryAfterSeconds, cause: error.cause })
}

const unanswered = (options: { detail: string; retryAfterSeconds?: number; cause?: unknown }): Fault =>
  new Fault('FEED_UPSTREAM', 'no node of the chain could answer', options)
