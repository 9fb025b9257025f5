// Predict.fun's socket: the whole book of a market each time it changes. It requires the operator's key, and answers to its pings. One topic per
// request; a reply names only its request. It carries no trades. Pure. https://dev.predict.fun (websocket: request and response format, subscription
// topics, heartbeats)

import type { Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { Commands } from '../../shared/socket/commands.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import type { FeedSink, VenueStream } from '../../venue.ts'
import { isMarketId } from '../ids.ts'
import { PredictBook, PredictPush, PredictReply } from '../wire.ts'
import { normalizeBook } from './tape.ts'

const topicOf = (bookId: string): string => `predictOrderbook/${bookId}`
const heartbeat = 'heartbeat'
/** Sent unasked before a server shuts down; an event of another name means the same. https://dev.predict.fun/websocket/connection/reconnect-notice */
const system = 'system'

export const stream: VenueStream = {
  connect: ({ urls, credentials }) =>
    urls.WS === undefined || credentials?.API_KEY === undefined
      ? null
      : { url: `${urls.WS}?apiKey=${encodeURIComponent(credentials.API_KEY)}`, headers: {} },
  /** The venue states no limit. */
  booksPerSocket: 200,
  silenceMs: 15_000,
  stalenessMaxMs: 30_000,
  comparesPerSecond: 1.5,
  heartbeat: null,
  resyncInBand: false,
  firehose: false,
  hasTrades: false,
  open: (feed) => jsonSession(feed, (books) => predictVenue(feed, books)),
}

/** No other request concerns a market. */
const isOfTheConnection = (words: string): boolean => /credential|unauthorized|limit/i.test(words)

function predictVenue(feed: FeedSink, books: BookSynchronizer): JsonVenue {
  /** For a subscription its book, for an unsubscription null. */
  const commands = new Commands<string | null>()
  const ask = (method: 'subscribe' | 'unsubscribe', bookId: string): string =>
    JSON.stringify({
      method,
      requestId: commands.next(method === 'subscribe' ? bookId : null),
      params: [topicOf(bookId)],
    })

  function replied({ requestId, success, error }: PredictReply): Read {
    const bookId = commands.take(requestId)
    if (bookId === undefined) return { malformed: `a reply to ${requestId}, which was never sent` }
    if (bookId === null) return 'control'
    const words = JSON.stringify(error ?? 'no reason').slice(0, 200)
    // Whether a book is sent unasked is undocumented.
    if (success) books.unseeded(bookId)
    else if (isOfTheConnection(words)) feed.failed(words)
    else books.refused(bookId, words)
    return 'control'
  }

  function pushed({ topic, data }: PredictPush, recvTs: number): Read {
    if (topic === heartbeat) {
      feed.send(JSON.stringify({ method: heartbeat, data }))
      return 'control'
    }
    if (topic === system) {
      feed.draining?.()
      return 'control'
    }
    const [, bookId] = /^predictOrderbook\/(.+)$/.exec(topic) ?? []
    if (bookId === undefined || !isMarketId(bookId)) return 'control'
    const book = PredictBook.safeParse(data).data
    const normalized =
      book === undefined || String(book.marketId) !== bookId ? null : normalizeBook(bookId, book, recvTs)
    const eventTs = normalized?.eventTs ?? null
    const { bids, asks } = normalized ?? { bids: null, asks: null }
    books.whole(bookId, { bids, asks, eventTs, ...(eventTs === null ? {} : { sequence: eventTs }) }, recvTs)
    return 'data'
  }

  return {
    subscribe: (bookIds) => bookIds.map((bookId) => ask('subscribe', bookId)),
    unsubscribe: (bookIds) => bookIds.map((bookId) => ask('unsubscribe', bookId)),
    read(message, recvTs) {
      const push = PredictPush.safeParse(message).data
      if (push !== undefined) return pushed(push, recvTs)
      const reply = PredictReply.safeParse(message).data
      return reply === undefined ? { malformed: 'neither a reply nor a push' } : replied(reply)
    },
  }
}
