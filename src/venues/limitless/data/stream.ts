// Limitless' Socket.IO: whole books of CLOB markets, prices of pools, and resolutions. Pure. A request replaces the previous one, so it always
// lists everything wanted. There are no acknowledgements, no message numbers, and no trades.
// https://docs.limitless.exchange/developers/websocket-events
import type { z } from 'zod'
import { timeOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { fieldOf, type Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { eventText, type SocketIoVenue, socketIoSession, socketIoUrl } from '../../shared/socket/socketIo.ts'
import type { FeedSink, VenueStream } from '../../venue.ts'
import { bookIdOf, isPool, nameOf } from '../ids.ts'
import { LimitlessBookUpdate, LimitlessPrices, LimitlessResolution } from '../wire.ts'
import { FrameOrder } from './frameOrder.ts'
import { spotOf } from './prices.ts'
import { normalizeBook, poolBook } from './tape.ts'

const namespace = '/markets'
const noBook = { bids: null, asks: null }

export const stream: VenueStream = {
  connect: ({ urls }) => (urls.WS === undefined ? null : { url: socketIoUrl(urls.WS), headers: {} }),
  /** The venue states no limit; every request lists all of them. */
  booksPerSocket: 200,
  silenceMs: 15_000,
  stalenessMaxMs: 30_000,
  comparesPerSecond: 1.5,
  heartbeat: null,
  resyncInBand: false,
  firehose: false,
  hasTrades: false,
  open: (feed) => socketIoSession(feed, { namespace }, (books) => limitlessVenue(feed, books)),
}

/** About the connection, or about data not wanted here. */
const ignoredEvents: ReadonlySet<string> = new Set(['system', 'authenticated', 'marketCreated', 'oraclePriceData'])

function limitlessVenue(feed: FeedSink, books: BookSynchronizer): SocketIoVenue {
  let isListening = false
  const order = new FrameOrder()
  const wanted = (): string => {
    const names = books.ids.flatMap((bookId) => nameOf(bookId) ?? [])
    const marketSlugs = names.filter((name) => !isPool(name))
    return eventText(namespace, ['subscribe_market_prices', { marketSlugs, marketAddresses: names.filter(isPool) }])
  }
  const unread = (names: readonly unknown[]): void =>
    books.unread(names.map((name) => (typeof name === 'string' ? poolIdOf(books, name) : null)))
  const readers: Readonly<Record<string, (payload: unknown, recvTs: number) => Read>> = {
    orderbookUpdate: reading(
      LimitlessBookUpdate,
      ({ marketSlug, orderbook, timestamp, version }, recvTs) => {
        const bookId = bookIdOf(marketSlug)
        if (!books.has(bookId)) return
        const { bids, asks } = normalizeBook(bookId, orderbook, recvTs) ?? noBook
        const { eventTs, sequence } = order.place(bookId, { version: version ?? null, eventTs: momentOf(timestamp) })
        books.whole(bookId, { bids, asks, ...placed(eventTs, sequence) }, recvTs)
      },
      (payload) => unread([fieldOf(payload, 'marketSlug')]),
    ),
    newPriceData: reading(
      LimitlessPrices,
      ({ updatedPrices, blockNumber, timestamp }, recvTs) => {
        for (const { marketAddress, yesPrice, noPrice } of updatedPrices) {
          const bookId = poolIdOf(books, marketAddress)
          const spot = spotOf({ prices: [yesPrice, noPrice] })
          const { bids, asks } = spot === null ? noBook : poolBook(bookId, spot, recvTs)
          books.whole(bookId, { bids, asks, ...placed(momentOf(timestamp), blockNumber ?? null) }, recvTs)
        }
      },
      (payload) => {
        const rows = fieldOf(payload, 'updatedPrices')
        unread(Array.isArray(rows) ? rows.map((row) => fieldOf(row, 'marketAddress')) : [])
      },
    ),
    marketResolved: reading(LimitlessResolution, ({ slug, resolutionDate }, recvTs) =>
      feed.marketStatus(slug, 'resolved', momentOf(resolutionDate) ?? recvTs),
    ),
  }
  return {
    subscribe(bookIds) {
      order.forget(bookIds)
      for (const bookId of bookIds) books.unseeded(bookId)
      const lifecycle = isListening ? [] : [eventText(namespace, ['subscribe_market_lifecycle'])]
      isListening = true
      return [...lifecycle, wanted()]
    },
    unsubscribe(bookIds) {
      order.forget(bookIds)
      return [wanted()]
    },
    event(name, [payload], recvTs) {
      if (ignoredEvents.has(name)) return 'control'
      return readers[name]?.(payload, recvTs) ?? { malformed: `an event called ${name.slice(0, 60)}` }
    },
  }
}

const reading =
  <S extends z.ZodType>(
    shape: S,
    apply: (payload: z.output<S>, recvTs: number) => void,
    unread: (payload: unknown) => void = () => undefined,
  ) =>
  (payload: unknown, recvTs: number): Read => {
    const { data, error } = shape.safeParse(payload)
    if (error !== undefined) {
      unread(payload)
      return { malformed: error.message.slice(0, 200) }
    }
    apply(data, recvTs)
    return 'data'
  }

/** A book older than the current one is dropped, if the venue gives a time. */
const placed = (eventTs: number | null, sequence: number | null) => ({
  eventTs,
  ...(sequence === null ? {} : { sequence }),
})

const momentOf = (moment: number | string | null | undefined): number | null =>
  typeof moment === 'string' ? timeOf(moment) : timeOfEpoch(moment, 'ms')

/** Addresses are case-insensitive. */
const poolIdOf = (books: BookSynchronizer, address: string): string => {
  const bookId = bookIdOf(address)
  const same = (id: string) => id.toLowerCase() === bookId.toLowerCase()
  return books.has(bookId) ? bookId : (books.ids.find(same) ?? bookId)
}
