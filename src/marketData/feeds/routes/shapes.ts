// Shared by the reference feed routes: which feed and which pair a caller means, and the metadata of an answer.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { AsOf } from '#schemas/envelope'
import { FeedProvenance, type FeedTicker } from '#schemas/feeds'
import { type Feeds, type ReferenceFeed, symbolOf } from '../feed.ts'

export const FeedPath = z.object({ feed: z.string() })

export const Pair = z.string().min(1, 'is required').max(64)

/** In any case. */
export function feedOf(feeds: Feeds, { feed }: { feed: string }): ReferenceFeed {
  const found = feeds.get(feed.toLowerCase())
  if (found !== undefined) return found
  throw new Fault('FEED_NOT_FOUND', `no such feed; there are ${[...feeds.keys()].join(' and ')}`)
}

export function pairOf(feed: ReferenceFeed, given: string): string {
  const symbol = symbolOf(feed, given)
  if (symbol !== null) return symbol
  const [base] = given.toUpperCase().split('/')
  const near = [...feed.markets.values()].find((market) => market.base === base)
  const hint = near === undefined ? '; loadMarkets lists them' : `; it has ${near.symbol}`
  throw new Fault('FEED_NOT_FOUND', `${feed.name} has no such pair${hint}`)
}

/** An oracle's round is requested by `symbol`; `feed` is the older clients' name for it. */
export const OracleQuery = {
  symbol: Pair.optional().describe('the pair, such as BTC/USD; required unless the alias is given'),
  feed: Pair.optional().describe('deprecated alias of symbol'),
}

export function oraclePairOf(feed: ReferenceFeed, { symbol, feed: alias }: { symbol?: string; feed?: string }): string {
  const given = symbol ?? alias
  if (given === undefined) throw new Fault('VALIDATION_ERROR', 'symbol: is required')
  if (symbol !== undefined && alias !== undefined && symbol.toUpperCase() !== alias.toUpperCase())
    throw new Fault('VALIDATION_ERROR', 'feed: is an alias of symbol and has a different value')
  return pairOf(feed, given)
}

/** For tickers: no provenance when there are none. */
export const metaSchema = { asOf: AsOf, provenance: FeedProvenance.optional() }

export const notSupported = (feed: ReferenceFeed, verb: string, why: string): Fault =>
  new Fault('NOT_SUPPORTED', `${feed.name} has no ${verb}: ${why}`)

/** As old as the oldest of them. */
export function tickersMeta(tickers: readonly FeedTicker[]) {
  const [asOf = null] = tickers.map((ticker) => ticker.asOf).sort()
  return tickers.length === 0 ? { asOf } : { asOf, provenance: tickers[0]!.provenance }
}
