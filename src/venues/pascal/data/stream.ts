// Pascal's socket: first each whole book, then its changes. Pure. The number in a message counts the states of the whole exchange and skips values,
// so it does not reveal a loss: every book is compared with REST in turn. How to unsubscribe is unknown, and its trades are not read.
// https://docs.pascal.trade (book channel), as of July 2026
import { amountOf, isLevelPrice, microsOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import { fieldOf } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer, LevelChange } from '../../shared/socket/bookSynchronizer.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import { ASK, BID, type BookSide, type VenueStream } from '../../venue.ts'
import { type PascalBook, PascalBookMessage, PascalErrorMessage } from '../wire.ts'
import { sideOf } from './tape.ts'

export const stream: VenueStream = {
  connect: ({ urls }) => (urls.WS === undefined ? null : { url: urls.WS, headers: {} }),
  /** As documented. */
  booksPerSocket: 250,
  silenceMs: 15_000,
  stalenessMaxMs: 15_000,
  heartbeat: null,
  resyncInBand: false,
  firehose: false,
  hasTrades: false,
  open: (feed) => jsonSession(feed, pascalVenue),
}

function pascalVenue(books: BookSynchronizer): JsonVenue {
  return {
    subscribe(bookIds) {
      for (const bookId of bookIds) books.acknowledged(bookId)
      const channels = bookIds.map((symbol) => ({ channel: 'book', symbol }))
      return [JSON.stringify({ type: 'subscribe', channels })]
    },
    /** Further messages for them are ignored. */
    unsubscribe: () => [],
    read(message, recvTs) {
      const error = PascalErrorMessage.safeParse(message)
      if (error.success) {
        const { symbol, data } = error.data
        if (typeof symbol === 'string' && data.code === 'SYMBOL_NOT_FOUND') books.refused(symbol, data.code)
        return 'control'
      }
      const { success, data } = PascalBookMessage.safeParse(message)
      if (!success) {
        if (fieldOf(message, 'channel') !== 'trades') books.unread([fieldOf(message, 'symbol')])
        return { malformed: 'no book' }
      }
      if (!books.has(data.symbol)) return 'control'
      const eventTs = timeOfEpoch(data.state_time_ms, 'ms')
      const { bids, asks } = data.data
      if (data.type === 'snapshot') {
        books.whole(data.symbol, { bids: sideOf(bids), asks: sideOf(asks), eventTs, isRepeat: true }, recvTs)
      } else {
        books.change(data.symbol, { levels: changesOf([BID, bids], [ASK, asks]), eventTs }, recvTs)
      }
      return 'data'
    },
  }
}

/** Each level's new size, 0 for one that is gone. Null when one cannot be read. */
function changesOf(...sides: [side: BookSide, rows: PascalBook['bids']][]): LevelChange[] | null {
  const changes: LevelChange[] = []
  for (const [side, rows] of sides) {
    for (const [price, size] of rows) {
      const [micros, amount] = [microsOf(price), amountOf(size)]
      if (micros === null || !isLevelPrice(micros) || amount === null) return null
      changes.push([side, micros, amount])
    }
  }
  return changes
}
