// Opinion's socket: single levels of both books of a market. It needs the operator's key. Nothing is numbered or timed, no book is sent unasked, and
// messages without a `msgType` (acknowledgements, echoes) have no documented form. Its trades have neither id nor time, so they are not subscribed
// to. Pure. https://docs.opinion.trade/developer-guide/opinion-websocket
import { amountOf, isLevelPrice, microsOf } from '../../shared/data/parsers.ts'
import { fieldOf } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer, LevelChange } from '../../shared/socket/bookSynchronizer.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import { ASK, BID, type VenueStream } from '../../venue.ts'
import { outcomeIdOf, partsOf } from '../ids.ts'
import { OpinionDepthChange, OpinionFrame } from '../wire.ts'

const channel = 'market.depth.diff'

export const stream: VenueStream = {
  connect: ({ urls, credentials }) =>
    urls.WS === undefined || credentials?.API_KEY === undefined
      ? null
      : { url: `${urls.WS}?apikey=${encodeURIComponent(credentials.API_KEY)}`, headers: {} },
  /** The venue states no limit. */
  booksPerSocket: 200,
  silenceMs: 15_000,
  stalenessMaxMs: 15_000,
  comparesPerSecond: 2,
  heartbeat: { everyMs: 25_000, text: JSON.stringify({ action: 'HEARTBEAT' }) },
  resyncInBand: false,
  firehose: false,
  hasTrades: false,
  open: (feed) => jsonSession(feed, opinionVenue),
}

function opinionVenue(books: BookSynchronizer): JsonVenue {
  /** A market is requested once, for the books of both its tokens. */
  const requestedMarkets = new Set<string>()
  /** Markets of which one token was given up while the other is wanted: the next request subscribes them again. */
  const lapsed = new Set<string>()
  const formatCommand = (action: 'SUBSCRIBE' | 'UNSUBSCRIBE', marketId: string): string =>
    JSON.stringify({ action, channel, marketId: Number(marketId) })
  const marketsOf = (bookIds: readonly string[]) => new Set(bookIds.flatMap((id) => partsOf(id)?.marketId ?? []))
  return {
    subscribe(bookIds) {
      for (const bookId of bookIds) books.unseeded(bookId)
      return [...marketsOf(bookIds)].flatMap((marketId) => {
        const isRequested = requestedMarkets.has(marketId)
        requestedMarkets.add(marketId)
        if (!isRequested) return [formatCommand('SUBSCRIBE', marketId)]
        return lapsed.delete(marketId)
          ? [formatCommand('UNSUBSCRIBE', marketId), formatCommand('SUBSCRIBE', marketId)]
          : []
      })
    },
    unsubscribe(bookIds) {
      const wanted = marketsOf(books.ids)
      return [...marketsOf(bookIds)].flatMap((marketId) => {
        if (wanted.has(marketId)) {
          lapsed.add(marketId)
          return []
        }
        lapsed.delete(marketId)
        return requestedMarkets.delete(marketId) ? [formatCommand('UNSUBSCRIBE', marketId)] : []
      })
    },
    read(message, recvTs) {
      const { data } = OpinionFrame.safeParse(message)
      if (data === undefined) return { malformed: 'no frame' }
      if (data.msgType !== channel) return 'control'
      const change = OpinionDepthChange.safeParse(message)
      if (!change.success) {
        const [marketId, tokenId] = [fieldOf(message, 'marketId'), fieldOf(message, 'tokenId')]
        books.unread(books.ids.filter((id) => namesBook(partsOf(id), marketId, tokenId)))
        return { malformed: change.error.message.slice(0, 200) }
      }
      const { marketId, tokenId } = change.data
      books.change(outcomeIdOf(String(marketId), tokenId), { levels: levelOf(change.data), eventTs: null }, recvTs)
      return 'data'
    },
  }
}

/** Of an unreadable change: its token, or both of its market when the token is unreadable too. */
const namesBook = (parts: ReturnType<typeof partsOf>, marketId: unknown, tokenId: unknown): boolean =>
  parts !== null && (typeof tokenId === 'string' ? parts.token === tokenId : parts.marketId === String(marketId))

/** Null when unreadable. */
function levelOf({ side, price, size }: OpinionDepthChange): LevelChange[] | null {
  const micros = microsOf(price)
  const amount = amountOf(size)
  if (micros === null || !isLevelPrice(micros) || amount === null) return null
  return [[side === 'bids' ? BID : ASK, micros, amount]]
}
