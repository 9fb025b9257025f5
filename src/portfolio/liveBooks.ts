// Live books of held outcomes. Reading one keeps it fed for a while; one that was not watched until now is awaited briefly. A book that is
// not proven to be current is never returned.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { fromUnits } from '#core/decimal'
import { ONE } from '#core/price'
import type { BookOf } from '#history/recordedOutcomeId'
import type { LiveBooks } from '#marketData/markets/index'
import type { Level } from '#schemas/marketData'
import type { BookUpdate } from '#schemas/topics'
import { hasSyntheticBooks, venueDepth } from '#schemas/venues'
import type { BookRef } from '#venues/venue'
import type { BookAnswer, Instrument, PositionBook, PositionBooks } from './ports.ts'

/** Books that one read has watched; further ones are read only if they are watched already. */
export const watchedMax = 500
/** How long a read waits for books that were not watched before. */
const waitDefaultMs = 1_000
const pollIntervalMs = 25
/** A book that did not become live is not awaited again for this long. */
const silentForMs = 30_000
const silentMax = 50_000

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
  const awaited = new Cache<true>(silentMax, { clock, forMs: silentForMs })
  const nameOf = (venue: string, { bookId }: BookRef): string => `${venue}:${bookId}`
  const isLive = (venue: string, { bookId }: BookRef): boolean => books.get(venue, bookId)?.state === 'live'

  function refOf({ venue, marketId, outcomeId }: Instrument): BookRef | null {
    if (venueDepth(venue) === 'no' || hasSyntheticBooks(venue)) return null
    return bookOf(venue, outcomeId, marketId)
  }

  async function comeAlive(wanted: readonly { venue: string; ref: BookRef }[]): Promise<void> {
    const isDone = (): boolean => wanted.every(({ venue, ref }) => isLive(venue, ref))
    if (isDone()) return
    const until = clock.monotonic() + waitMs
    await new Promise<void>((resolve) => {
      const timer = clock.every(pollIntervalMs, () => {
        if (!isDone() && clock.monotonic() < until) return
        timer.cancel()
        resolve()
      })
    })
    for (const { venue, ref } of wanted) if (!isLive(venue, ref)) awaited.set(nameOf(venue, ref), true)
  }

  return {
    async read(instruments) {
      const refs = instruments.map((instrument) => ({ venue: instrument.venue, ref: refOf(instrument) }))
      const watched = refs.flatMap(({ venue, ref }) => (ref === null ? [] : [{ venue, ref }])).slice(0, watchedMax)
      for (const { venue, ref } of watched) hold(venue, ref.bookId)
      await comeAlive(watched.filter(({ venue, ref }) => awaited.get(nameOf(venue, ref)) === undefined))
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
