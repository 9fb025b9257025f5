// The live feed: books and trades of each contract on one socket, without a key. The first frame of a subscription is the whole book, every
// later one a change; frames are numbered, and a book can be requested on the socket.
// https://developer.gemini.com/specs/asyncapi/websocket.yaml https://docs.gemini.com/websocket/streams
import { fieldOf, type Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { Commands } from '../../shared/socket/commands.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import { emitTrade } from '../../shared/socket/streamTrade.ts'
import type { FeedSink, VenueStream } from '../../venue.ts'
import { GeminiAnswer, GeminiDepth, GeminiPairs, GeminiStreamTrade } from '../wire.ts'
import { changesOfSides, msOf, normalizeStreamTrade, sidesOf } from './tape.ts'

/** The venue states no limit. */
const booksPerSocket = 50
/** More than any contract has: a price has two decimals. */
const depthLimit = 5_000

export const stream: VenueStream = {
  connect({ urls }) {
    if (urls.WS === undefined) return null
    const url = new URL(urls.WS)
    // Requests the whole book first.
    url.searchParams.set('snapshot', '-1')
    return { url: url.href, headers: {} }
  },
  booksPerSocket,
  silenceMs: 15_000,
  stalenessMaxMs: 15_000,
  comparesPerSecond: 4,
  heartbeat: { everyMs: 30_000, text: '{"id":"alive","method":"ping"}' },
  resyncInBand: true,
  firehose: false,
  open: (feed) => jsonSession(feed, (books) => conversation(feed, books)),
}

/** What a command was about. */
interface PendingCommand {
  method: 'subscribe' | 'unsubscribe' | 'depth'
  symbol: string
}

function conversation(feed: FeedSink, books: BookSynchronizer): JsonVenue {
  const commands = new Commands<PendingCommand>()
  /** Books whose next frame is the whole book. */
  const fresh = new Set<string>()
  /**
   * A frame of an earlier subscription may arrive after the next was made: such books start with a request for the book.
   */
  const known = new Set<string>()

  const formatCommand = (method: PendingCommand['method'], symbol: string, params: unknown): string =>
    JSON.stringify({ id: commands.next({ method, symbol }), method, params })
  const streamsOf = (symbol: string): string[] => [`${symbol}@depth@100ms`, `${symbol}@trade`]
  const depth = (symbol: string): string => formatCommand('depth', symbol, { symbol, limit: depthLimit })

  function answer({ id, status, result, error }: GeminiAnswer, recvTs: number): Read {
    const command = commands.take(Number(id))
    if (command === undefined) return id === 'alive' ? 'control' : { malformed: 'a response to no request' }
    const { method, symbol } = command
    if (status !== 200) {
      // Venue errors and rate limits are temporary: ingest requests again what does not arrive.
      if (method !== 'unsubscribe' && status >= 400 && status < 500 && status !== 429)
        books.refused(symbol, `${error?.code ?? status} ${error?.msg ?? ''}`.trim())
      return 'control'
    }
    if (method === 'subscribe') books.acknowledged(symbol)
    if (method !== 'depth') return 'control'
    fresh.delete(symbol)
    const book = GeminiPairs.safeParse(result).data
    books.whole(symbol, { ...sidesOf(book ?? null), eventTs: null, isRepeat: true }, recvTs)
    return 'data'
  }

  function depthUpdate({ s, U, u, E, b, a }: GeminiDepth, recvTs: number): Read {
    const symbol = s.toUpperCase()
    const eventTs = msOf(E)
    if (fresh.delete(symbol)) books.whole(symbol, { ...sidesOf({ bids: b, asks: a }), eventTs, sequence: u }, recvTs)
    else books.change(symbol, { levels: changesOfSides(b, a), eventTs, sequence: u, after: U - 1 }, recvTs)
    return 'data'
  }

  return {
    subscribe: (symbols) =>
      symbols.flatMap((symbol) => {
        const isFirst = !known.has(symbol)
        known.add(symbol)
        if (isFirst) fresh.add(symbol)
        const subscription = formatCommand('subscribe', symbol, streamsOf(symbol))
        return isFirst ? [subscription] : [subscription, depth(symbol)]
      }),
    unsubscribe: (symbols) =>
      symbols.map((symbol) => {
        fresh.delete(symbol)
        return formatCommand('unsubscribe', symbol, streamsOf(symbol))
      }),
    snapshots: (symbols) => symbols.map(depth),
    read(message, recvTs) {
      const delta = GeminiDepth.safeParse(message).data
      if (delta !== undefined) return depthUpdate(delta, recvTs)
      const trade = GeminiStreamTrade.safeParse(message).data
      if (trade !== undefined) {
        const normalizedTrade = normalizeStreamTrade(trade)
        if (normalizedTrade === null) return { malformed: 'a trade' }
        if (books.has(normalizedTrade.outcomeId))
          emitTrade(feed, 'gemini', normalizedTrade.outcomeId, normalizedTrade, recvTs)
        return 'data'
      }
      const answered = GeminiAnswer.safeParse(message).data
      if (answered !== undefined) return answer(answered, recvTs)
      const symbol = fieldOf(message, 's')
      const isBook = ['b', 'a', 'u', 'U'].some((name) => fieldOf(message, name) !== undefined)
      if (isBook && typeof symbol === 'string') books.unread([symbol.toUpperCase()])
      return { malformed: 'not a frame that we requested' }
    },
  }
}
