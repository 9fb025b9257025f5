// Sports of this deployment: the engine where jobs run, the mirror and live books where the gateway serves.
import type { BookOf } from '#history/tapedAs'
import type { LiveBooks } from '#markets/index'
import type { Quote, Quotes } from '#sports/index'

export interface LiveQuotesOptions {
  bookOf: BookOf
  books: LiveBooks
  /** Keeps the book fed for a while. */
  hold(venue: string, bookId: string): void
}

export function liveQuotes({ bookOf, books, hold }: LiveQuotesOptions): Quotes {
  return {
    read(venue, marketId, outcomeId): Quote | null {
      const ref = bookOf(venue, outcomeId, marketId)
      const update = ref === null ? undefined : books.get(venue, ref.bookId)
      if (ref === null || update === undefined) return null
      const core = books.limit(ref.complement ? books.complement(update.core) : update.core, 1)
      const { bids, asks } = JSON.parse(`${core.toString('latin1')}}`) as Record<'bids' | 'asks', Level[]>
      const [bid, ask] = [bids[0], asks[0]]
      return {
        bid: bid?.price ?? null,
        bidSize: bid?.size ?? null,
        ask: ask?.price ?? null,
        askSize: ask?.size ?? null,
        state: update.state,
        asOf: update.provenAt ?? update.eventTs ?? update.recvTs,
      }
    },
    hold(venue, marketId, outcomeId) {
      const ref = bookOf(venue, outcomeId, marketId)
      if (ref !== null) hold(venue, ref.bookId)
    },
  }
}

interface Level {
  price: number
  size: number
}
