// The live feed, with the operator's key: the whole book of each market after every change. There are no acknowledgements and no
// sequence numbers; the first book is sent unasked, so resubscribing requests one.
// https://docs.polymarket.us/api-reference/websocket/markets
import { Secret } from '#core/secret'
import { fieldOf, type Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import type { FeedSink, VenueStream } from '../../venue.ts'
import { authHeaders } from '../exec/auth.ts'
import { UsFrame } from '../wire.ts'
import { normalizeBook } from './tape.ts'

/** A hundred per subscription are documented; nothing per connection. Older pages mention one connection per key. */
const booksPerSocket = 100

export const credentialNames = ['KEY_ID', 'SECRET_KEY']

export const stream: VenueStream = {
  connect({ urls, credentials, clock }) {
    const [url, keyId, secretKey] = [urls.WS, credentials?.KEY_ID, credentials?.SECRET_KEY]
    if (url === undefined || !keyId || !secretKey) return null
    const key = { keyId: new Secret(keyId), secretKey: new Secret(secretKey) }
    return { url, headers: authHeaders(key, 'GET', new URL(url).pathname, clock.now()) }
  },
  booksPerSocket,
  silenceMs: 15_000,
  stalenessMaxMs: 15_000,
  comparesPerSecond: 4,
  // The venue sends its own, and documents none from clients.
  heartbeat: null,
  // Its trades have no ids, and the venue has no tape of them.
  hasTrades: false,
  resyncInBand: true,
  firehose: false,
  open: (feed) => jsonSession(feed, (books) => conversation(feed, books)),
}

function conversation(feed: FeedSink, books: BookSynchronizer): JsonVenue {
  let lastRequest = 0
  /** By slug, and in reverse: an error names only its request, and unsubscribing uses it. */
  const requests = new Map<string, string>()
  const slugs = new Map<string, string>()
  /** Requests whose first book has not come. The feed sends every change by itself, so that book should be the one held. */
  const unanswered = new Set<string>()

  function subscribe(slug: string): string {
    const requestId = `r${++lastRequest}`
    requests.set(slug, requestId)
    slugs.set(requestId, slug)
    unanswered.add(requestId)
    const subscriptionType = 'SUBSCRIPTION_TYPE_MARKET_DATA'
    return JSON.stringify({ subscribe: { requestId, subscriptionType, marketSlugs: [slug] } })
  }
  function unsubscribe(slug: string): string[] {
    const requestId = requests.get(slug)
    if (requestId === undefined) return []
    requests.delete(slug)
    slugs.delete(requestId)
    unanswered.delete(requestId)
    return [JSON.stringify({ unsubscribe: { requestId } })]
  }

  return {
    subscribe: (wanted) => wanted.map(subscribe),
    unsubscribe: (left) => left.flatMap(unsubscribe),
    snapshots: (wanted) => wanted.flatMap((slug) => [...unsubscribe(slug), subscribe(slug)]),
    read(message, recvTs): Read {
      const camelled = camel(message)
      const frame = UsFrame.safeParse(camelled).data
      if (frame === undefined) {
        books.unread([fieldOf(camelled, 'marketData', 'marketSlug')])
        return { malformed: 'a frame of another shape' }
      }
      const { marketData, requestId, error, heartbeat } = frame
      if (marketData !== undefined) {
        const book = normalizeBook(marketData.marketSlug, marketData, recvTs)
        if (book?.lastTradeMicros != null && books.has(book.bookId))
          feed.lastTrade(book.bookId, book.lastTradeMicros, null)
        const { bids = null, asks = null, eventTs = null } = book ?? {}
        const isRepeat = unanswered.delete(requestId ?? '')
        books.whole(marketData.marketSlug, { bids, asks, eventTs, isRepeat }, recvTs)
        return 'data'
      }
      if (error !== undefined) {
        const slug = slugs.get(requestId ?? '')
        if (slug === undefined) return { malformed: `an error: ${error.slice(0, 120)}` }
        books.refused(slug, error.slice(0, 120))
        return 'control'
      }
      return heartbeat === undefined ? { malformed: 'not a frame that we requested' } : 'control'
    },
  }
}

/** Some of the venue's pages use `market_slug` where its clients use `marketSlug`: both are read. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.includes('_') ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name,
      camel(inner),
    ]),
  )
}
