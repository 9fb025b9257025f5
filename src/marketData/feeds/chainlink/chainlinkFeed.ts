// The feed `chainlink`: rounds and tickers of one chain's proxies, as its nodes report them. Equal concurrent reads are
// shared.

import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { ChainNode } from '#net/chainNode'
import { RpcRefusal } from '#net/rpc'
import { type ChainName, type FeedMarket, type FeedTicker, type OracleRound, oracleRoundsMax } from '#schemas/feeds'
import type { ReferenceFeed } from '../feed.ts'
import { emptyTicker } from '../tickers.ts'
import type { ChainlinkChain } from './feedRegistry.ts'
import { isDatedAhead, stalenessReason } from './freshness.ts'
import { RoundHighWater } from './latestRounds.ts'
import { type Newest, type NewestOfAll, type RejectionReason, readBefore, readNewest } from './read.ts'
import { tickerOf } from './ticker.ts'

/** Readers within a second share an answer: rounds are further apart. */
const recentMs = 1_000
const answersMax = 1_000

export interface ChainlinkNodes {
  count: number
  /** The chain's nodes, for one read. */
  now(): ChainNode
  /** The node that answered last lags: try the others first. */
  turn(): void
  /** Which of them answered last. */
  answered(): number
}

export interface ChainlinkOptions {
  chain: ChainlinkChain & { name: ChainName }
  /** Null: none is configured. */
  nodes: ChainlinkNodes | null
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

/** Everything except watching. */
export function createChainlinkFeed({ chain, nodes, staleSeconds, clock }: ChainlinkOptions) {
  const { chainId, proxies } = chain
  const newest = new Cache<NewestOfAll>(1, { clock, forMs: recentMs })
  const before = new Cache<OracleRound[]>(answersMax, { clock, forMs: recentMs })
  const seen = new RoundHighWater(clock)

  async function fromNodes<T>(read: (node: ChainNode) => Promise<T>): Promise<T> {
    if (nodes === null)
      throw new Fault('FEEDS_UNAVAILABLE', 'chainlink has no node on this deployment', { retryable: false })
    try {
      return await read(nodes.now())
    } catch (error) {
      throw upstream(error)
    }
  }

  /** All pairs, whichever was requested: one request a second, regardless of the number of callers. */
  const newestOfAll = () =>
    newest.getOrLoad('', async () => {
      const answers = new Map<number, NewestOfAll>()
      const isGood = (all: NewestOfAll) => {
        answers.set(nodes!.answered(), all)
        return seen.isGood(all, [...answers.values()])
      }
      return seen.take(await ofTheBest((node) => readNewest(node, chain), isGood), [...answers.values()])
    })

  /** From the first node with a valid answer, otherwise from the last one. */
  async function ofTheBest<T>(read: (node: ChainNode) => Promise<T>, isGood: (answer: T) => boolean): Promise<T> {
    for (let left = nodes?.count ?? 1; ; left--) {
      const answer = await fromNodes(read)
      if (isGood(answer) || left === 1) return answer
      nodes?.turn()
    }
  }

  /** Throws FEED_UPSTREAM for a proxy that is not such a feed. */
  async function newestOf(symbol: string): Promise<Newest> {
    const found = (await newestOfAll()).bySymbol.get(symbol)!
    if (found instanceof Fault) throw found
    return found
  }

  /**
   * A round that is really the newest. Throws FEED_UPSTREAM also when the nodes lag, and when it is dated in the future.
   */
  async function realNewestOf(symbol: string): Promise<Newest> {
    const found = await newestOf(symbol)
    if (found.rejection !== undefined) throw rejectedFault(symbol, found.rejection)
    if (found.round !== null && isDatedAhead(found.round, clock))
      throw new Fault('FEED_UPSTREAM', `the newest round of ${symbol} is dated in the future`)
    return found
  }

  function tickerIn({ bySymbol, sequencer }: NewestOfAll, symbol: string): FeedTicker {
    const found = bySymbol.get(symbol)!
    const context = { proxy: proxies[symbol]!, chainId, nowMs: clock.now() }
    if (found instanceof Fault) {
      const info = { proxy: context.proxy, chainId, unproven: 'no such feed' }
      return emptyTicker(symbol, 'chainlink-onchain', context.nowMs, info)
    }
    const why = found.rejection ?? stalenessReason(found.round, { clock, staleSeconds, sequencer })
    return tickerOf(found, why, context)
  }

  /** Each of them, even if its proxy is not such a feed: it has no price then. Throws only when no node answers. */
  async function lookAt(symbols: readonly string[]): Promise<FeedTicker[]> {
    const all = await newestOfAll()
    return symbols.map((symbol) => tickerIn(all, symbol))
  }

  return {
    name: 'chainlink',
    markets: chainlinkMarkets(chain),
    lookAt,
    async fetchTickers(symbols) {
      // A single one has no other answer.
      if (symbols.length === 1) await newestOf(symbols[0]!)
      return lookAt(symbols)
    },
    async fetchOracleRound(symbol) {
      const { round } = await realNewestOf(symbol)
      if (round === null) throw new Fault('FEED_UPSTREAM', `the newest round of ${symbol} has no answer of its own`)
      return round
    },
    async fetchOracleHistory(symbol, limit) {
      const first = await realNewestOf(symbol)
      // Those before this very round: with a different newest one there would be a gap between.
      const rest = await before.getOrLoad(`${symbol} ${first.roundId}`, async () => {
        const read = (node: ChainNode) => readBefore(node, chain, first, oracleRoundsMax - 1)
        const rounds = await ofTheBest(read, (found) => found !== null)
        if (rounds === null) throw rejectedFault(symbol, 'node behind')
        return rounds
      })
      return [...(first.round === null ? [] : [first.round]), ...rest].slice(0, limit)
    },
  } satisfies Omit<ReferenceFeed, 'watchTicker'> & { lookAt: ReferenceFeed['fetchTickers'] }
}

const rejectedFault = (symbol: string, rejection: RejectionReason): Fault =>
  new Fault(
    'FEED_UPSTREAM',
    rejection === 'node behind'
      ? `the nodes that answer lag behind the chain, or behind what was served of ${symbol} before`
      : `the decimals of ${symbol} have changed, or are reported by one node only`,
  )

/** A node's own text reaches neither the caller nor the log: it may contain the node's access key. */
function upstream(error: unknown): unknown {
  if (error instanceof RpcRefusal) return unanswered({ detail: `refused with ${error.rpcCode ?? 'no code'}` })
  if (!(error instanceof Fault) || error.code !== 'NETWORK_ERROR') return error
  const { message, retryAfterSeconds } = error
  return unanswered({ detail: message, retryAfterSeconds, cause: error.cause })
}

const unanswered = (options: { detail: string; retryAfterSeconds?: number; cause?: unknown }): Fault =>
  new Fault('FEED_UPSTREAM', 'no node of the chain could answer', options)
