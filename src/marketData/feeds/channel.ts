// The stream's `feedTicker` channel: the current ticker on subscribing, then every change. Its shape is the stream's ChannelProvider.
import type { Clock } from '#core/clock'
import type { FeedTicker } from '#schemas/feeds'
import type { ClientOp } from '#schemas/stream'
import { type Feeds, type OnTicker, symbolOf } from './feed.ts'
import { feedTickerFrame } from './frames.ts'

/** The part of the stream's peer that is needed here. */
export interface FeedPeer {
  /** Sends now or drops and counts. */
  offer(topic: string, frame: Buffer): unknown
}

export interface FeedTickerChannel {
  check(op: ClientOp): { code: 'BAD_MESSAGE' | 'NOT_SUPPORTED'; message: string } | null
  started(peer: FeedPeer, topic: string, op: ClientOp): void
  stopped(peer: FeedPeer, topic: string): void
}

interface Found {
  watch(onTicker: OnTicker): () => void
}

export function feedTickerChannel(feeds: Feeds, clock: Clock): FeedTickerChannel {
  const ends = new WeakMap<FeedPeer, Map<string, () => void>>()

  /** What to watch, or why there is nothing. */
  function find(op: { feed: string; symbol: string }): Found | string {
    const feed = feeds.get(op.feed.toLowerCase())
    if (feed === undefined) return `no such feed: ${[...feeds.keys()].join(', ')}`
    const { watchTicker } = feed
    if (watchTicker === null) return `${feed.name} is not configured here`
    const symbol = symbolOf(feed, op.symbol)
    if (symbol === null) return `${feed.name} has no such pair`
    return { watch: (onTicker) => watchTicker(symbol, onTicker) }
  }

  return {
    check(op) {
      if (op.op !== 'subscribeFeedTicker') return { code: 'BAD_MESSAGE', message: 'not an operation on feed tickers' }
      const found = find(op)
      return typeof found === 'string' ? { code: 'NOT_SUPPORTED', message: found } : null
    },
    started(peer, topic, op) {
      const found = op.op === 'subscribeFeedTicker' ? find(op) : null
      if (op.op !== 'subscribeFeedTicker' || found === null || typeof found === 'string') return
      const onTicker = (ticker: FeedTicker): void => void peer.offer(topic, feedTickerFrame(op, ticker, clock.now()))
      const mine = ends.get(peer) ?? new Map<string, () => void>()
      ends.set(peer, mine.set(topic, found.watch(onTicker)))
    },
    stopped(peer, topic) {
      const mine = ends.get(peer)
      mine?.get(topic)?.()
      mine?.delete(topic)
    },
  }
}
