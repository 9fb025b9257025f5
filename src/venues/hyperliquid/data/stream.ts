// The live feed: books and trades of each coin on one socket. Every message is a whole book, so nothing has to be reassembled, and the next one
// makes up for a lost one. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions

import { z } from 'zod'
import { parseFrameJson } from '#net/jsonScan'
import { fieldOf, type Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import { emitTrade } from '../../shared/socket/streamTrade.ts'
import type { FeedSink, VenueStream } from '../../venue.ts'
import { HyperBook, HyperFrame, HyperSubscription, HyperTrade } from '../wire.ts'
import { normalizeBook, normalizeTrade } from './tape.ts'

/** An address may have 1,000 subscriptions across all its connections. A book takes two: five sockets of this size. */
const booksPerSocket = 100
/** The venue closes connections that are silent for 60 s. */
const pingEveryMs = 30_000
/** The timelier of the two feeds: five levels every half second, instead of twenty every five seconds. */
const levels = 5

export const stream: VenueStream = {
  connect: ({ urls }) => (urls.WS === undefined ? null : { url: urls.WS, headers: {} }),
  booksPerSocket,
  silenceMs: 15_000,
  stalenessMaxMs: 15_000,
  comparesPerSecond: 3,
  heartbeat: { everyMs: pingEveryMs, text: '{"method":"ping"}' },
  levels,
  resyncInBand: false,
  firehose: false,
  open: (feed) => jsonSession(feed, (books) => conversation(feed, books)),
}

function conversation(feed: FeedSink, books: BookSynchronizer): JsonVenue {
  const ask = (method: string, coins: readonly string[]): string[] =>
    coins.flatMap((coin) => [
      JSON.stringify({ method, subscription: { type: 'l2Book', coin, fast: true } }),
      JSON.stringify({ method, subscription: { type: 'trades', coin } }),
    ])

  function book(data: unknown, recvTs: number): Read {
    const raw = HyperBook.safeParse(data).data ?? null
    if (raw === null) {
      books.unread([fieldOf(data, 'coin')])
      return { malformed: 'a book of another shape' }
    }
    const { bids, asks } = normalizeBook(raw, recvTs) ?? { bids: null, asks: null }
    books.whole(raw.coin, { bids, asks, eventTs: raw.time }, recvTs)
    return 'data'
  }

  function trades(data: unknown, recvTs: number): Read {
    const rows = z.array(z.unknown()).safeParse(data).data
    if (rows === undefined) return { malformed: 'trades of another shape' }
    for (const row of rows) {
      const raw = HyperTrade.safeParse(row).data
      const trade = raw === undefined ? null : normalizeTrade(raw)
      if (trade === null) feed.malformed('a trade')
      else if (books.has(trade.outcomeId)) emitTrade(feed, 'hyperliquid', trade.outcomeId, trade, recvTs)
    }
    return 'data'
  }

  /** `Invalid subscription {"type":"l2Book","coin":"#99990"}`, and other refusals. */
  function refusal(data: unknown): Read {
    const words = typeof data === 'string' ? data : ''
    const rejected = subscriptionIn(words)
    if (rejected?.type !== 'l2Book' || !words.startsWith('Invalid subscription'))
      return words.startsWith('Already') ? 'control' : { malformed: `an error: ${words.slice(0, 120)}` }
    books.refused(rejected.coin, 'Invalid subscription')
    return 'control'
  }

  return {
    subscribe: (coins) => ask('subscribe', coins),
    unsubscribe: (coins) => ask('unsubscribe', coins),
    isNoise: (text) => text.startsWith('Websocket connection established'),
    read(message, recvTs) {
      const { channel, data } = HyperFrame.safeParse(message).data ?? {}
      switch (channel) {
        case 'l2Book':
          return book(data, recvTs)
        case 'trades':
          return trades(data, recvTs)
        case 'subscriptionResponse': {
          const answer = HyperSubscription.safeParse(data).data
          if (answer?.method === 'subscribe' && answer.subscription.type === 'l2Book')
            books.acknowledged(answer.subscription.coin)
          return 'control'
        }
        case 'error':
          return refusal(data)
        case 'pong':
          return 'control'
        default:
          return { malformed: 'not a channel that we requested' }
      }
    },
  }
}

/** The venue echoes the request, with or without the method around it. */
function subscriptionIn(words: string): { type: string; coin: string } | null {
  const from = words.indexOf('{')
  if (from < 0) return null
  try {
    const echo: unknown = parseFrameJson(words.slice(from))
    return (
      HyperSubscription.shape.subscription.safeParse(echo).data ??
      HyperSubscription.safeParse(echo).data?.subscription ??
      null
    )
  } catch {
    return null
  }
}
