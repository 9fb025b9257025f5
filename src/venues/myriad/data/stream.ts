// Myriad's Centrifugo: changed levels of both outcomes of an order book, one channel per market. Nothing arrives until something changes, and
// nothing is numbered. Pools are not on it and are polled; its trades are grouped by transaction and differ from REST, so trades are read there.
// Pure. https://docs.myriad.markets/builders/myriad-order-book/order-book-api

import { timeOfEpoch, unitsOf } from '../../shared/data/parsers.ts'
import type { Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer, LevelChange } from '../../shared/socket/bookSynchronizer.ts'
import { centrifugoSession } from '../../shared/socket/centrifugo.ts'
import { ASK, BID, type VenueStream } from '../../venue.ts'
import { marketIdOf, outcomeIdOf, outcomeOf } from '../ids.ts'
import { MyriadChanges } from '../wire.ts'
import { wholeMicros } from './tape.ts'

const weiDecimals = 18

export const stream: VenueStream = {
  connect: ({ urls }) => (urls.WS === undefined ? null : { url: urls.WS, headers: {} }),
  /** One channel per market; this kind of server takes 128 by default. */
  booksPerSocket: 100,
  silenceMs: 15_000,
  stalenessMaxMs: 30_000,
  heartbeat: null,
  carries: (bookId) => outcomeOf(bookId)?.model === 'ob',
  resyncInBand: false,
  firehose: false,
  hasTrades: false,
  open: (feed) =>
    centrifugoSession(feed, { name: 'crossbook' }, (books) => ({
      isUnseeded: true,
      channelsOf: (bookId) => [channelOf(bookId)],
      publication: (channel, data, recvTs) => read(books, channel, data, recvTs),
    })),
}

function channelOf(bookId: string): string {
  const { networkId, id } = outcomeOf(bookId)!
  return `orderbook:${networkId}:${id}`
}

function read(books: BookSynchronizer, channel: string, data: unknown, recvTs: number): Read {
  const parsed = MyriadChanges.safeParse(data)
  if (!parsed.success) {
    books.unread(books.ids.filter((bookId) => channelOf(bookId) === channel))
    return { malformed: parsed.error.message.slice(0, 200) }
  }
  const { networkId, marketId: id, ts, changes } = parsed.data
  if (channel !== `orderbook:${networkId}:${id}`) {
    books.unread(books.ids.filter((bookId) => channelOf(bookId) === channel))
    return { malformed: 'a market that is not the channel’s' }
  }
  const marketId = marketIdOf({ networkId, model: 'ob', id })
  const eventTs = timeOfEpoch(ts, 'ms')
  for (const [outcome, rows] of Map.groupBy(changes, (change) => change.outcome)) {
    const levels = rows.map(levelOf)
    const isWhole = levels.every((level) => level !== null)
    books.change(outcomeIdOf(marketId, outcome), { levels: isWhole ? levels : null, eventTs }, recvTs)
  }
  return 'data'
}

/** A level's new size. Null between two millionths, where it may be one of several that REST merges: the book is read again. */
function levelOf({ side, price, amount }: MyriadChanges['changes'][number]): LevelChange | null {
  const micros = wholeMicros(price)
  const size = unitsOf(amount, weiDecimals)
  return micros === null || size === null ? null : [side === 'bid' ? BID : ASK, micros, size]
}
