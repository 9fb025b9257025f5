// Live books of held outcomes. Reading one keeps it fed for a while; one that was not watched until now is awaited briefly. A book that is
// not proven to be current is never returned.
import type { Clock } from '#core/clock'
import { fromUnits } from '#core/decimal'
import { ONE } from '#core/price'
import type { BookOf } from '#history/recordedOutcomeId'
import type { LiveBooks } from '#marketData/markets/index'
import type { Level } from '#schemas/marketData'
import type { BookUpdate } from '#schemas/topics'
import { hasSyntheticBooks, venueDepth } from '#schemas/venues'
import type { BookRef } from '#venues/venue'
import { createBookWait } from './bookWait.ts'
import type { BookAnswer, Instrument, PositionBook, PositionBooks } from './ports.ts'

/** Books that one read has watched; further ones are read only if they are watched already. */
export const watchedMax = 500
/** How long a read waits for books that were not watched before. */
const waitDefaultMs = 1_000

export interface LiveBooksOptions {
  bookOf: BookOf
  books: Pick<LiveBooks, 'get' | 'complement'>
  /** Keeps the book fed for a while. */
  hold(venue: string, bookId: string): void
  clock: Clock
  waitMs?: number
}

export function createPositionBooks({
  bookOf,
  books,
  hold,
  clock,
  waitMs = waitDefaultMs,
}: LiveBooksOptions): PositionBooks {
  const awaitLive = createBookWait({ books, hold, clock, waitMs })

  function refOf({ venue, marketId, outcomeId }: Instrument): BookRef | null {
    if (venueDepth(venue) === 'no' || hasSyntheticBooks(venue)) return null
    return bookOf(venue, outcomeId, marketId)
  }

  return {
    async read(instruments) {
      const refs = instruments.map((instrument) => ({ venue: instrument.venue, ref: refOf(instrument) }))
      const watched = refs.flatMap(({ venue, ref }) => (ref === null ? [] : [{ venue, ref }])).slice(0, watchedMax)
      await awaitLive(watched.map(({ venue, ref }) => ({ venue, bookId: ref.bookId })))
      return refs.map(({ venue, ref }): BookAnswer => {
        if (ref === null) return 'none'
        const update = books.get(venue, ref.bookId)
        return update?.state === 'live' ? bookIn(update, ref, books) : 'silent'
      })
    },
  }
}

function bookIn(update: BookUpdate, { complement }: BookRef, books: Pick<LiveBooks, 'complement'>): PositionBook {
  const core = complement ? books.complement(update.core) : update.core
  const { bids, asks } = JSON.parse(`${core.toString('latin1')}}`) as { bids: Level[]; asks: Level[] }
  const micros = update.lastTradeMicros
  return {
    bids,
    asks,
    lastPrice: micros === null ? null : fromUnits(BigInt(complement ? ONE - micros : micros), 6),
  }
}
