// XO's socket: whole books, one per requested outcome, the first of each at once. Pure. Nothing is acknowledged, numbered or timed, and unsubscribing
// is unknown. A client has worked with `book` events alone; no other events are known.
import type { z } from 'zod'
import { fieldOf, type Read } from '../../shared/socket/bookSession.ts'
import type { BookSynchronizer } from '../../shared/socket/bookSynchronizer.ts'
import { type JsonVenue, jsonSession } from '../../shared/socket/jsonSession.ts'
import type { VenueStream } from '../../venue.ts'
import { tokenOf } from '../ids.ts'
import { XoBookEvent } from '../wire.ts'
import { sideOf } from './normalize.ts'

export const stream: VenueStream = {
  connect: ({ urls }) => (urls.WS === undefined ? null : { url: urls.WS, headers: {} }),
  /** The venue states no limit. */
  booksPerSocket: 100,
  silenceMs: 15_000,
  stalenessMaxMs: 30_000,
  heartbeat: null,
  resyncInBand: false,
  firehose: false,
  hasTrades: false,
  open: (feed) => jsonSession(feed, xoVenue),
}

function xoVenue(books: BookSynchronizer): JsonVenue {
  const byToken = new Map<string, string>()
  return {
    subscribe(bookIds) {
      const tokens = bookIds.flatMap((bookId) => {
        const token = tokenOf(bookId)
        if (token !== null) byToken.set(token, bookId)
        return token ?? []
      })
      for (const bookId of bookIds) books.acknowledged(bookId)
      return tokens.length === 0 ? [] : [JSON.stringify({ type: 'market', assets_ids: tokens, initial_dump: true })]
    },
    /** Further messages for them are ignored. */
    unsubscribe(bookIds) {
      for (const bookId of bookIds) byToken.delete(tokenOf(bookId) ?? '')
      return []
    },
    read(message, recvTs) {
      const { success, data } = XoBookEvent.safeParse(message)
      if (!success) {
        const token = fieldOf(message, 'asset_id')
        const isBook = fieldOf(message, 'event_type') === 'book' || fieldOf(message, 'bids') !== undefined
        if (isBook && typeof token === 'string') books.unread([byToken.get(token)])
        return { malformed: 'no book' }
      }
      return applyBook(data, recvTs)
    },
  }

  function applyBook({ asset_id, bids, asks }: z.infer<typeof XoBookEvent>, recvTs: number): Read {
    const bookId = byToken.get(asset_id)
    if (bookId === undefined) return 'control'
    books.whole(bookId, { bids: sideOf(bids), asks: sideOf(asks), eventTs: null }, recvTs)
    return 'data'
  }
}
