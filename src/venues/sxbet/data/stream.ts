// SX Bet's Centrifugo: whole books with versions, and one channel with every bet of the venue. It requires the operator's key, for which the venue
// issues a token over REST. Nothing arrives until something changes. Pure.
// https://docs.sx.bet/api-reference/channel-orderbook-v3, …/channel-recent-trades-v3
import type { z } from 'zod'
import type { Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { type CentrifugoVenue, centrifugoSession } from '../../shared/socket/centrifugo.ts'
import { emitTrade } from '../../shared/socket/streamTrade.ts'
import type { FeedSink, VenueStream } from '../../venue.ts'
import { SxbetBook, SxbetStatus } from '../wire.ts'
import { getToken } from './endpoints.ts'
import { isTrade, normalizeBook, normalizeTrade } from './tape.ts'

const bookPrefix = 'orderbook_v3:'
const trades = 'recent_trades_v3:global'

export const stream: VenueStream = {
  fetchToken: getToken,
  connect: ({ urls, credentials }) =>
    urls.WS === undefined || credentials?.API_KEY === undefined ? null : { url: urls.WS, headers: {} },
  /** 512 channels per connection. */
  booksPerSocket: 500,
  silenceMs: 15_000,
  stalenessMaxMs: 20_000,
  comparesPerSecond: 2,
  heartbeat: null,
  resyncInBand: false,
  firehose: false,
  open: (feed, token) => centrifugoSession(feed, { name: 'crossbook', token }, (books) => sxbetVenue(feed, books)),
}

const sxbetVenue = (feed: FeedSink, books: BookSynchronizer): CentrifugoVenue => ({
  isUnseeded: true,
  channelsOf: (bookId) => [bookPrefix + bookId, trades],
  /** One row, or several at once. */
  publication(channel, data, recvTs) {
    const rows: unknown[] = Array.isArray(data) ? data : [data]
    let result: Read = 'control'
    for (const row of rows) {
      result = channel === trades ? readTrade(feed, books, row, recvTs) : readBook(books, channel, row, recvTs)
      if (typeof result === 'object') break
    }
    return result
  },
})

function readBook(books: BookSynchronizer, channel: string, row: unknown, recvTs: number): Read {
  const { data: raw, error } = SxbetBook.safeParse(row)
  if (raw === undefined) {
    books.unread([channel.slice(bookPrefix.length)])
    return malformed(error)
  }
  const book = normalizeBook(raw, recvTs)
  const { marketHash, version } = raw
  books.whole(
    marketHash,
    { bids: book?.bids ?? null, asks: book?.asks ?? null, eventTs: null, sequence: version },
    recvTs,
  )
  return 'data'
}

/** Most bets are on unwatched markets. */
function readTrade(feed: FeedSink, books: BookSynchronizer, row: unknown, recvTs: number): Read {
  const { data: raw, error } = SxbetStatus.safeParse(row)
  if (raw === undefined) return malformed(error)
  const { marketHash } = raw.trade
  if (!books.has(marketHash) || !isTrade(raw.trade)) return 'control'
  const trade = normalizeTrade(raw.trade, marketHash)
  if (trade === null) return { malformed: 'a bet without odds or time' }
  emitTrade(feed, 'sxbet', marketHash, trade, recvTs)
  return 'data'
}

const malformed = (error: z.ZodError | undefined): Read => ({ malformed: error?.message.slice(0, 200) ?? 'no row' })
